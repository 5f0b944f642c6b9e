import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import {
  closed,
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  http2Socket,
  preface,
  requestFields,
} from './testing/http2-frames.ts';
import { type TestServer, type TestServerOptions, testServer } from './testing/test-server.ts';

const short = { headTimeoutMs: 60, idleTimeoutMs: 60, stallTimeoutMs: 60, lingerTimeoutMs: 60 };

/** A server that counts the requests that reach it. */
async function counting(options: TestServerOptions = {}): Promise<TestServer & { readonly seen: string[] }> {
  const seen: string[] = [];
  const server = await testServer({
    resources: ({ info }) => {
      seen.push(info.name);
      return { kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(200_000, 'x') };
    },
    ...options,
  });
  return Object.assign(server, { seen });
}

/** Sends pieces as long as the server reads, and waits for the end of the connection. */
async function sendUntilClosed(socket: TLSSocket, pieces: Iterable<Buffer>): Promise<void> {
  const end = closed(socket);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), end]);
  }
  await end;
}

const alive = async (server: TestServer): Promise<void> => {
  const stream = server.http2().request({ ':path': '/api/v1/nodes/alive', authorization: 'Bearer secret' });
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  assert.equal(headers[':status'], 200);
};

describe('adversarial HTTP/2 clients', { timeout: 20_000 }, () => {
  function* continuationFlood(): Generator<Buffer> {
    yield Buffer.concat([preface, frame('headers', 1, END_STREAM, requestFields('/api/v1/nodes/flood'))]);
    const more = Buffer.concat(
      Array.from({ length: 100 }, () => frame('continuation', 1, 0, field('a', 'b'.repeat(100)))),
    );
    for (let i = 0; i < 1000; i++) yield more;
  }
  function* headerBomb(): Generator<Buffer> {
    yield preface;
    const bomb = Buffer.concat([field('x', 'y'.repeat(4000), true), Buffer.alloc(12_000, 0x80 | 62)]);
    const fields = Buffer.concat([requestFields('/api/v1/nodes/bomb'), bomb]);
    for (let i = 0; i < 100; i++) yield frame('headers', 2 * i + 1, END_STREAM | END_HEADERS, fields);
  }
  function* rapidReset(): Generator<Buffer> {
    yield preface;
    const fields = requestFields('/api/v1/nodes/reset');
    for (let i = 0; i < 20_000; i++) {
      yield Buffer.concat([
        frame('headers', 2 * i + 1, END_STREAM | END_HEADERS, fields),
        frame('rst', 2 * i + 1, 0, Buffer.from([0, 0, 0, 8])),
      ]);
    }
  }
  function* tooManyStreams(): Generator<Buffer> {
    yield Buffer.concat([preface, frame('settings', 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]))]);
    const fields = requestFields('/api/v1/nodes/stream');
    for (let i = 0; i < 20_000; i++) yield frame('headers', 2 * i + 1, END_STREAM | END_HEADERS, fields);
  }
  function* windowOverflow(): Generator<Buffer> {
    yield preface;
    const most = frame('windowUpdate', 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]));
    for (let i = 0; i < 4; i++) yield most;
  }
  function* nonsense(): Generator<Buffer> {
    yield Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  }

  for (const [what, flood, most] of [
    ['continues the head of a request without end', continuationFlood, 0],
    ['opens requests and resets them at once', rapidReset, 1000],
    ['opens more streams than it may', tooManyStreams, 250],
    ['adds more to the window than a window holds', windowOverflow, 0],
    ['sends HTTP/1.1 after negotiating HTTP/2', nonsense, 0],
  ] as const) {
    it(`a client that ${what} is disconnected, and others are served`, async () => {
      await using server = await counting({ limits: { lingerTimeoutMs: 60 } });
      await sendUntilClosed(await http2Socket(server.port), flood());
      assert.ok(server.seen.length <= most, `${server.seen.length} requests were served`);
      await alive(server);
    });
  }

  for (const [what, first] of [
    ['says nothing', Buffer.alloc(0)],
    ['sends half a preface', preface.subarray(0, 10)],
    [
      'begins a head and never ends it',
      Buffer.concat([preface, frame('headers', 1, END_STREAM, requestFields('/'))]),
    ],
    ['only pings', Buffer.concat([preface, frame('ping', 0, 0, Buffer.alloc(8))])],
  ] as const) {
    it(`a client that ${what} is disconnected`, async () => {
      await using server = await counting({ limits: short });
      const socket = await http2Socket(server.port);
      socket.resume();
      const end = closed(socket);
      if (first.length > 0) socket.write(first);
      await end;
    });
  }

  it('a head sent byte by byte has the same deadline as any other', async () => {
    await using server = await counting({ limits: { ...short, idleTimeoutMs: 60_000 } });
    const socket = await http2Socket(server.port);
    const block = requestFields(`/api/v1/nodes/${'x'.repeat(100)}`);
    const end = closed(socket);
    socket.write(Buffer.concat([preface, frame('headers', 1, END_STREAM, block.subarray(0, 5))]));
    let at = 5;
    const dripping = setInterval(() => {
      if (at < block.length) socket.write(frame('continuation', 1, 0, block.subarray(at, ++at)));
    }, 10);
    await end;
    clearInterval(dripping);
    assert.ok(at < block.length, 'it ended before the head did');
    assert.deepEqual(server.seen, []);
  });

  it('requests whose header lists decompress to megabytes reach no handler', async () => {
    await using server = await counting({ limits: short });
    await sendUntilClosed(await http2Socket(server.port), headerBomb());
    assert.deepEqual(server.seen, []);
    await alive(server);
  });

  it('streams and connection of a client that never reads are closed', async () => {
    const gone: Promise<unknown>[] = [];
    await using server = await testServer({
      limits: short,
      resources: ({ request }) => {
        gone.push(once(request.signal, 'abort'));
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(200_000, 'x') };
      },
    });
    const socket = await http2Socket(server.port);
    socket.pause();
    const noWindow = frame('settings', 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]));
    const streams = Array.from({ length: 50 }, (_, i) =>
      frame('headers', 2 * i + 1, END_STREAM | END_HEADERS, requestFields('/api/v1/nodes/a')),
    );
    socket.write(Buffer.concat([preface, noWindow, ...streams]));
    while (gone.length < 50) await new Promise(setImmediate);
    await Promise.all(gone);
    const end = closed(socket);
    socket.resume();
    await end;
  });

  it('a body sent byte by byte occupies memory of its size', async () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    await using server = await testServer({
      resources: async ({ request }) => {
        resolve(await request.body(10_000));
        return { kind: 'bytes', status: 200, headers: {}, body: Buffer.alloc(0) };
      },
    });
    const socket = await http2Socket(server.port);
    const bytes = Array.from({ length: 5000 }, () => frame('data', 1, 0, Buffer.from('x')));
    socket.write(
      Buffer.concat([
        preface,
        frame('headers', 1, END_HEADERS, requestFields('/api/v1/nodes', 'POST')),
        ...bytes,
        frame('data', 1, END_STREAM),
      ]),
    );
    const body = await promise;
    assert.equal(body.toString(), 'x'.repeat(5000));
    assert.ok(body.buffer.byteLength < 100_000);
    socket.destroy();
  });
});
