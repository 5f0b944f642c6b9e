import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { BodySink } from '../pipeline/types.ts';
import { frameChunk } from './chunk-frame.ts';
import { authorization, reader, testServer } from './testing/test-server.ts';

const head = (line: string, ...fields: string[]): string =>
  [line, 'Host: h', authorization, ...fields, '', ''].join('\r\n');
const get = head('GET /api/v1/pods/a HTTP/1.1');

/** Answers with the body of the request. */
const echo = async ({ request }: { request: { body(limit: number): Promise<Buffer> } }) => ({
  kind: 'bytes' as const,
  status: 200,
  headers: {},
  body: Buffer.concat([Buffer.from('<'), await request.body(1000), Buffer.from('>')]),
});

describe('HTTP/1.1 connections', () => {
  it('answers a request and keeps the connection', async () => {
    await using server = await testServer();
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(get);
    const first = await received.until(/resource$/);
    assert.match(
      first,
      /^HTTP\/1\.1 200 OK\r\nAudit-Id: [0-9a-f-]{36}\r\nCache-Control: no-cache, private\r\n/,
    );
    assert.match(first, /\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 8\r\n\r\nresource$/);
    assert.doesNotMatch(first, /Connection:/);
    socket.write(get);
    await received.until(/resourceHTTP[^]*resource$/);
  });

  it('answers pipelined requests in order, also when an earlier one takes longer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: async ({ info }) => {
        if (info.name === 'slow') await promise;
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.from(`<${info.name}>`) };
      },
    });
    const socket = await server.connect();
    const received = reader(socket);
    const names = ['a', 'slow', 'b', 'c'];
    socket.write(names.map((name) => head(`GET /api/v1/nodes/${name} HTTP/1.1`)).join(''));
    await received.until(/<a>/);
    assert.doesNotMatch(received.text(), /<b>/);
    resolve();
    await received.until(/<a>[^]*<slow>[^]*<b>[^]*<c>$/);
  });

  it('reads a request that arrives byte by byte', async () => {
    await using server = await testServer({ resources: echo });
    const socket = await server.connect();
    socket.setNoDelay(true);
    const received = reader(socket);
    const text = `${head('POST /api/v1/pods HTTP/1.1', 'Transfer-Encoding: chunked')}3;x="y"\r\nabc\r\n2\r\nde\r\n0\r\nTrail: er\r\n\r\n${get}`;
    for (const byte of text) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await received.until(/<abcde>HTTP[^]*<>$/);
  });

  it('sends no body to HEAD, but its length', async () => {
    await using server = await testServer();
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('HEAD /api/v1/pods/a HTTP/1.1') + get);
    const text = await received.until(/resource$/);
    assert.equal(text.match(/Content-Length: 8\r\n\r\n/g)?.length, 2);
    assert.equal(text.match(/resource/g)?.length, 1);
  });

  it('keeps an HTTP/1.0 connection only on request', async () => {
    await using server = await testServer();
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods/a HTTP/1.0', 'Connection: keep-alive'));
    await received.until(/Connection: keep-alive\r\n\r\nresource$/);
    socket.write(head('GET /api/v1/pods/a HTTP/1.0'));
    await received.closed;
    assert.match(received.text(), /Connection: close\r\n\r\nresource$/);
  });

  it('gives the permission to continue when the body is wanted, and closes when it never was', async () => {
    await using server = await testServer({
      resources: (context) => {
        if (context.info.name !== '') throw new Error('not wanted');
        return echo(context);
      },
    });
    const socket = await server.connect();
    const received = reader(socket);
    const fields = ['Expect: 100-continue', 'Content-Length: 2'];
    socket.write(head('POST /api/v1/pods HTTP/1.1', ...fields));
    await received.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    socket.write('hi');
    await received.until(/<hi>$/);
    socket.write(head('PUT /api/v1/pods/a HTTP/1.1', ...fields));
    await received.closed;
    assert.match(received.text(), /HTTP\/1\.1 500 [^]*Connection: close/);
  });

  it('reads and drops a small body that nobody wanted, and answers what follows', async () => {
    await using server = await testServer();
    const socket = await server.connect();
    const received = reader(socket);
    const post = head('POST /api/v1/pods HTTP/1.1', 'Content-Length: 5');
    socket.write(`${post}GET /`);
    await received.until(/resource$/);
    socket.write(`${post}GET /${post}GET /`.repeat(2000));
    const count = () => received.text().match(/\r\n\r\nresource/g)?.length ?? 0;
    await received.until(/resource$/);
    while (count() < 4001) await once(socket, 'data');
    assert.equal(count(), 4001);
  });

  for (const [what, fields] of [
    ['announced by its length', ['Content-Length: 1001']],
    ['sent in chunks', ['Transfer-Encoding: chunked']],
  ] as const) {
    it(`refuses a body beyond the limit ${what} with 413, which the client can read, and ends`, async () => {
      await using server = await testServer({ resources: echo, limits: { maxDiscardedBodyBytes: 500 } });
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(head('POST /api/v1/pods HTTP/1.1', ...fields));
      const isChunked = fields[0].startsWith('Transfer');
      socket.write(isChunked ? `400\r\n${'x'.repeat(1024)}\r\n`.repeat(4) : 'x'.repeat(4000));
      await received.until(/RequestEntityTooLarge/);
      socket.write('x'.repeat(100_000));
      socket.end();
      await received.closed;
      assert.match(
        received.text(),
        /^HTTP\/1\.1 413 [^]*Connection: close\r\n\r\n\{"kind":"Status"[^]*"code":413\}\n$/,
      );
    });
  }

  it('tells the handler when the client goes away', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const asked = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: ({ request }) => {
        asked.resolve();
        request.signal.addEventListener('abort', () => resolve(request.signal.reason));
        return promise.then(() => ({ kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(0) }));
      },
    });
    const socket = await server.connect();
    socket.write(get);
    await asked.promise;
    socket.destroy();
    assert.match(String(await promise), /the client closed the connection/);
  });

  it('ends a connection that sends no whole head in time, with 408 when something was sent', async () => {
    await using server = await testServer({ limits: { headTimeoutMs: 30 } });
    const quiet = await server.connect();
    const slow = await server.connect();
    const received = { quiet: reader(quiet), slow: reader(slow) };
    slow.write('GET / HTT');
    await Promise.all([received.quiet.closed, received.slow.closed]);
    assert.equal(received.quiet.text(), '');
    assert.match(received.slow.text(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('closes idle connections, and all of them on a drain once their requests are answered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: async () => {
        asked.resolve();
        await promise;
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('late') };
      },
    });
    const [idle, busy] = [await server.connect(), await server.connect()];
    const received = { idle: reader(idle), busy: reader(busy) };
    busy.write(get);
    await asked.promise;
    const drained = server.listener.drain(new AbortController().signal);
    await received.idle.closed;
    await assert.rejects(server.connect());
    resolve();
    await received.busy.closed;
    assert.match(received.busy.text(), /Connection: close\r\n\r\nlate$/);
    await drained;
  });
});

describe('malformed HTTP/1.1 requests', () => {
  for (const [what, text, status] of [
    ['no request line', 'nonsense\r\nHost: h\r\n\r\n', 400],
    ['a lower protocol version', 'GET / HTTP/0.9\r\nHost: h\r\n\r\n', 505],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['two blanks', 'GET  / HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['a target that is no path', 'GET api HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['a fragment', 'GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['raw bytes in the target', 'GET /\u00e4 HTTP/1.1\r\nHost: h\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n', 400],
    ['a control character', 'GET / HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n', 400],
    ['a lone line feed in a value', 'GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n', 400],
    ['lone line feeds only', 'GET / HTTP/1.1\nHost: a\n\n', 400],
    ['a field without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n', 400],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'another transfer encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
      501,
    ],
    ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['another expectation', 'POST / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n', 417],
    ['too many fields', `GET / HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(300)}\r\n`, 431],
    ['too long a head', `GET / HTTP/1.1\r\nHost: a\r\na: ${'b'.repeat(70_000)}\r\n\r\n`, 431],
    ['a head without end', `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(20_000)}`, 431],
  ] as const) {
    it(`${what} is answered with ${status} and a Status, and the connection ends`, async () => {
      await using server = await testServer();
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(text, 'latin1');
      await received.closed;
      assert.match(
        received.text(),
        new RegExp(`^HTTP/1\\.1 ${status} [^\\r]+\\r\\n[^]*"code":${status}\\}\\n$`),
      );
    });
  }

  for (const [what, body] of [
    ['a size that is no number', 'xyz\r\n'],
    ['a size without end', '1'.repeat(300)],
    ['data longer than announced', '1\r\nab\r\n'],
    ['a lone line feed', '1\na\r\n0\r\n\r\n'],
    ['a malformed trailer', '0\r\nno colon\r\n\r\n'],
  ] as const) {
    it(`chunks with ${what} are answered with 400`, async () => {
      await using server = await testServer({ resources: echo });
      const socket = await server.connect();
      const received = reader(socket);
      socket.write(head('POST /api/v1/pods HTTP/1.1', 'Transfer-Encoding: chunked') + body);
      await received.closed;
      assert.match(
        received.text(),
        /^HTTP\/1\.1 400 [^]*chunked encoding[^]*Connection: close|^HTTP\/1\.1 400 [^]*Connection: close[^]*chunked encoding/,
      );
    });
  }
});

describe('bodies over HTTP/1.1', () => {
  it('sends chunks of unknown length in chunked encoding, of known length as they are', async () => {
    let cleanedUp = 0;
    function* chunks(count: number) {
      try {
        for (let index = 0; index < count; index++) yield Buffer.from(`[${index}]`);
      } finally {
        cleanedUp++;
      }
    }
    await using server = await testServer({
      resources: ({ info }) => ({
        kind: 'chunks',
        status: 200,
        headers: {},
        chunks: chunks(3),
        ...(info.name === 'known' ? { length: 9 } : {}),
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/nodes/known HTTP/1.1'));
    await received.until(/Content-Length: 9\r\n\r\n\[0\]\[1\]\[2\]$/);
    socket.write(head('GET /api/v1/nodes/unknown HTTP/1.1'));
    await received.until(/Transfer-Encoding: chunked\r\n\r\n9\r\n\[0\]\[1\]\[2\]\r\n0\r\n\r\n$/);
    assert.equal(cleanedUp, 2);
  });

  it('breaks the connection off, and logs, when a body fails half way', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'chunks',
        status: 200,
        headers: {},
        chunks: (function* () {
          yield Buffer.alloc(100_000, 'x');
          throw new Error('half way');
        })(),
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(get);
    await received.closed;
    assert.doesNotMatch(received.text(), /\r\n0\r\n\r\n$/);
    assert.match(JSON.stringify(server.logged), /a reply broke off.*half way/);
  });

  it('joins small chunks and passes large ones, whatever their sizes', async () => {
    const sizes = [1, 70_000, 300_000, 5, 0, 262_144, 100, 65_536, 200_000, 200_000, 7];
    const whole = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, 97 + index)));
    await using server = await testServer({
      resources: () => ({
        kind: 'chunks',
        status: 200,
        headers: {},
        length: whole.length,
        chunks: (async function* () {
          let at = 0;
          for (const size of sizes) yield whole.subarray(at, (at += size));
        })(),
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods HTTP/1.1', 'Connection: close'));
    await received.closed;
    assert.equal(received.text().split('\r\n\r\n')[1], whole.toString('latin1'));
  });

  it('packs large answers for clients that take gzip, and only those', async () => {
    const large = Buffer.from(JSON.stringify(Array.from({ length: 40_000 }, (_, index) => `item ${index}`)));
    await using server = await testServer({
      resources: ({ info }) =>
        info.name === 'bytes'
          ? { kind: 'bytes', status: 200, headers: {}, body: large }
          : { kind: 'chunks', status: 200, headers: {}, chunks: [large.subarray(0, 9), large.subarray(9)] },
    });
    for (const name of ['bytes', 'chunks']) {
      for (const [accept, isPacked] of [
        ['gzip', true],
        ['deflate, *;q=0.5', true],
        ['gzip;q=0, *', false],
        ['identity', false],
      ] as const) {
        const socket = await server.connect();
        const received = reader(socket);
        socket.write(head(`GET /api/v1/nodes/${name} HTTP/1.0`, `Accept-Encoding: ${accept}`));
        await received.closed;
        const [fields = '', ...rest] = received.text().split('\r\n\r\n');
        const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1');
        assert.equal(/Content-Encoding: gzip/.test(fields), isPacked, `${name} ${accept}`);
        assert.match(fields, /Vary: Accept-Encoding/);
        assert.ok((isPacked ? gunzipSync(body) : body).equals(large));
      }
    }
  });
});

describe('streams over HTTP/1.1', () => {
  const frames = ['one', 'two'].map((text) => frameChunk(Buffer.from(text)));

  it('sends frames as they are, and ends cleanly when the stream returns', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink) {
          sink.writeFramed(frames);
          sink.write(Buffer.from('three'));
        },
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await received.until(/\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n$/);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await received.until(/0\r\n\r\nHTTP[^]*0\r\n\r\n$/);
  });

  it('sends bare bytes to HTTP/1.0', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        run: async (sink) => void sink.writeFramed(frames),
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.0'));
    await received.closed;
    assert.match(received.text(), /\r\n\r\nonetwo$/);
  });

  it('tells a stream that its client is behind, and cuts a client that takes nothing', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<string>();
    let accepted = 0;
    await using server = await testServer({
      limits: { stallTimeoutMs: 50 },
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { signal }) {
          const frame = frameChunk(Buffer.alloc(64 * 1024));
          try {
            for (;;) {
              accepted++;
              if (!sink.writeFramed([frame])) await sink.drained(signal);
            }
          } catch (error) {
            resolve(String(error));
          }
        },
      }),
    });
    const socket = await server.connect();
    socket.pause();
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    assert.match(await gone, /the client closed the connection/);
    assert.ok(accepted < 500, `${accepted} frames were taken from a stream that nobody reads`);
  });

  it('cuts a client at once when a stream writes on regardless', async () => {
    await using server = await testServer({
      limits: { maxUnsentBytes: 1024 * 1024 },
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { signal }) {
          const frame = frameChunk(Buffer.alloc(64 * 1024));
          for (let count = 0; count < 1000 && !signal.aborted; count++) sink.writeFramed([frame]);
        },
      }),
    });
    const socket = await server.connect();
    socket.pause();
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await once(socket.resume(), 'close');
  });

  it('asks streams for a clean end on a drain', async () => {
    await using server = await testServer({
      resources: () => ({
        kind: 'stream',
        status: 200,
        headers: {},
        async run(sink: BodySink, { draining }) {
          await once(draining, 'abort');
          sink.write(Buffer.from('bye'));
        },
      }),
    });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods?watch=1 HTTP/1.1'));
    await received.until(/200 OK/);
    await server.listener.drain(new AbortController().signal);
    await received.closed;
    assert.match(received.text(), /3\r\nbye\r\n0\r\n\r\n$/);
  });
});
