import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { echo, head, reader, testServer } from './testing/test-server.ts';

const get = head('GET /api/v1/pods/a HTTP/1.1');

describe('HTTP/1.1 connections', () => {
  it('a connection is kept after a reply', async () => {
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
    await received.until(/resourceHTTP[\s\S]*resource$/);
  });

  it('a connection ends after a reply with the configured probability, and the reply has Connection: close', async () => {
    await using server = await testServer({ limits: { goawayChance: 1 } });
    const socket = await server.connect();
    const received = reader(socket);
    const ended = once(socket, 'end');
    socket.write(get);
    const reply = await received.until(/resource$/);
    assert.match(reply, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n/);
    await ended;
  });

  it('pipelined requests are answered in order, even if an earlier one takes longer', async () => {
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
    await received.until(/<a>[\s\S]*<slow>[\s\S]*<b>[\s\S]*<c>$/);
  });

  it('a request that arrives byte by byte is answered', async () => {
    await using server = await testServer({ resources: echo });
    const socket = await server.connect();
    socket.setNoDelay(true);
    const received = reader(socket);
    const text = `${head('POST /api/v1/pods HTTP/1.1', 'Transfer-Encoding: chunked')}3;x="y"\r\nabc\r\n2\r\nde\r\n0\r\nTrail: er\r\n\r\n${get}`;
    for (const byte of text) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await received.until(/<abcde>HTTP[\s\S]*<>$/);
  });

  it('a reply to HEAD has a length and no body', async () => {
    await using server = await testServer();
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('HEAD /api/v1/pods/a HTTP/1.1') + get);
    const text = await received.until(/resource$/);
    assert.equal(text.match(/Content-Length: 8\r\n\r\n/g)?.length, 2);
    assert.equal(text.match(/resource/g)?.length, 1);
  });

  it('an HTTP/1.0 connection is kept only on request', async () => {
    await using server = await testServer();
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('GET /api/v1/pods/a HTTP/1.0', 'Connection: keep-alive'));
    await received.until(/Connection: keep-alive\r\n\r\nresource$/);
    socket.write(head('GET /api/v1/pods/a HTTP/1.0'));
    await received.closed;
    assert.match(received.text(), /Connection: close\r\n\r\nresource$/);
  });

  it('100-continue is sent when the body is read, and an unread body closes the connection', async () => {
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
    assert.match(received.text(), /HTTP\/1\.1 500 [\s\S]*Connection: close/);
  });

  it('HTTP/1.0 clients receive no 100-continue, which they would take for the reply', async () => {
    await using server = await testServer({ resources: echo });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(head('POST /api/v1/pods HTTP/1.0', 'Content-Length: 1', 'Expect: 100-continue'));
    // The head alone yields nothing; the body yields the reply.
    await new Promise(setImmediate);
    socket.write('a');
    await received.closed;
    assert.match(received.text(), /^HTTP\/1\.1 200 [\s\S]*<a>$/);
  });

  it('a small unread body is discarded, and the next request is answered', async () => {
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
    it(`a body beyond the limit ${what} is refused with a readable 413, and the connection is closed`, async () => {
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
        /^HTTP\/1\.1 413 [\s\S]*Connection: close\r\n\r\n\{"kind":"Status"[\s\S]*"code":413\}\n$/,
      );
    });
  }

  it('the signal of a request aborts when its client disconnects', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const arrived = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: ({ request }) => {
        arrived.resolve();
        request.signal.addEventListener('abort', () => resolve(request.signal.reason));
        return promise.then(() => ({ kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(0) }));
      },
    });
    const socket = await server.connect();
    socket.write(get);
    await arrived.promise;
    socket.destroy();
    assert.match(String(await promise), /the client closed the connection/);
  });

  it('a connection without a complete head in time is closed, with 408 if bytes were received', async () => {
    await using server = await testServer({ limits: { headTimeoutMs: 30 } });
    const quiet = await server.connect();
    const slow = await server.connect();
    const received = { quiet: reader(quiet), slow: reader(slow) };
    slow.write('GET / HTT');
    await Promise.all([received.quiet.closed, received.slow.closed]);
    assert.equal(received.quiet.text(), '');
    assert.match(received.slow.text(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('idle connections are closed, and on a drain all others after their replies', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await using server = await testServer({
      resources: async () => {
        arrived.resolve();
        await promise;
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.from('late') };
      },
    });
    const [idle, busy] = [await server.connect(), await server.connect()];
    const received = { idle: reader(idle), busy: reader(busy) };
    busy.write(get);
    await arrived.promise;
    const drained = server.listener.drain(new AbortController().signal);
    await received.idle.closed;
    await assert.rejects(server.connect());
    resolve();
    await received.busy.closed;
    assert.match(received.busy.text(), /Connection: close\r\n\r\nlate$/);
    await drained;
  });

  it('a drain does not wait for incomplete handshakes', async () => {
    await using server = await testServer();
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    // A round trip of another client: the server has seen both by then.
    const other = await server.connect();
    const received = reader(other);
    other.write(get);
    await received.until(/resource$/);
    await server.listener.drain(new AbortController().signal);
    await closed;
  });
});
