import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { poll } from '@orch/machinery/testing';
import { freePorts, GrpcServer, type ServerCall, TcpProxy, tempDir } from '../../testing/index.ts';
import { Channel, type ChannelOptions } from './channel.ts';
import { parseEndpoint, unixEndpoint } from './endpoint.ts';
import type { UnaryMethod } from './method.ts';
import { RpcError } from './status.ts';

const echo: UnaryMethod<Buffer, Buffer> = {
  path: '/test.Echo/Call',
  encode: (writer, request) => writer.raw(request),
  decode: (message) => message,
};
const never = new AbortController().signal;
const hello = Buffer.from('hello');
/** Node's server refuses streams when it buffers more than its default of ten megabytes. */
const roomy = { maxSessionMemory: 1000 };

class TestChannel extends Channel implements Disposable {
  constructor(endpoints: readonly string[], options: Partial<ChannelOptions> = {}) {
    super({
      endpoints: endpoints.map(parseEndpoint),
      tls: undefined,
      clock: systemClock,
      random: { ...systemRandom, int: () => 0 },
      log: silentLogger,
      dialTimeoutMs: 1000,
      keepaliveMs: 10_000,
      keepaliveTimeoutMs: 3000,
      maxMessageBytes: 64 * 1024 * 1024,
      maxWaiting: 1000,
      peer: 'the server',
      ...options,
    });
  }

  call(request: Buffer, timeoutMs = 5000, signal = never): Promise<Buffer> {
    return this.unary(echo, request, { timeoutMs, signal });
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

async function answerEcho(call: ServerCall): Promise<void> {
  const message = await call.next();
  if (message === undefined) return;
  call.send(message);
  call.end();
}

async function failure(call: Promise<unknown>): Promise<RpcError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RpcError, `expected an RpcError, got ${error}`);
  return error;
}

describe('a call', () => {
  it('a call is answered, also when the peer pads its frames', async () => {
    await using server = await GrpcServer.listen(answerEcho, {
      paddingStrategy: constants.PADDING_STRATEGY_MAX,
    });
    using channel = new TestChannel([server.endpoint]);
    assert.deepEqual(await channel.call(hello), hello);
    assert.deepEqual(await channel.call(Buffer.alloc(0)), Buffer.alloc(0));
  });

  for (const [title, pathOf] of [
    ['with a path', (dir: string) => join(dir, 'socket')],
    ['in the abstract namespace', (dir: string) => `\0${dir}`],
  ] as const) {
    it(`a call is answered over a Unix socket ${title}`, async () => {
      await using dir = await tempDir('orch-socket-');
      const socketPath = pathOf(dir.path);
      await using server = await GrpcServer.listen(answerEcho, { socketPath });
      using channel = new TestChannel([], { endpoints: [unixEndpoint(socketPath)] });
      assert.deepEqual(await channel.call(hello), hello);
      assert.equal(server.calls, 1);
    });
  }

  it('a channel reads an answer whose header needs CONTINUATION frames', async () => {
    await using server = await GrpcServer.listen((call) => {
      call.stream.respond(
        { ':status': 200, 'grpc-status': '9', 'grpc-message': 'x', filler: 'y'.repeat(40_000) },
        { endStream: true },
      );
    });
    using channel = new TestChannel([server.endpoint]);
    assert.equal((await failure(channel.call(hello))).code, 9);
  });

  it('a call fails with the status of a trailers-only answer, its message decoded', async () => {
    await using server = await GrpcServer.listen((call) => call.end(5, 'nicht gefunden: %C3%A4%25'));
    using channel = new TestChannel([server.endpoint]);
    const error = await failure(channel.call(hello));
    assert.deepEqual([error.failure, error.code, error.message], ['answered', 5, 'nicht gefunden: ä%']);
  });

  it('a call fails with the status that follows a message', async () => {
    await using server = await GrpcServer.listen((call) => {
      call.send(hello);
      call.end(14, 'too late');
    });
    using channel = new TestChannel([server.endpoint]);
    assert.equal((await failure(channel.call(hello))).code, 14);
  });

  for (const [title, answer, code] of [
    ['that is not of gRPC', (c: ServerCall) => c.stream.respond({ ':status': 503 }, { endStream: true }), 14],
    ['without a message', (c: ServerCall) => c.end(0), 13],
    [
      'with a truncated message',
      (c: ServerCall) => {
        c.stream.respond({ ':status': 200 }, { waitForTrailers: true });
        c.stream.on('wantTrailers', () => c.stream.sendTrailers({ 'grpc-status': '0' }));
        c.stream.end(Buffer.from([0, 0, 0, 0, 9, 1]));
      },
      13,
    ],
    [
      'with two messages',
      (c: ServerCall) => {
        c.send(hello);
        c.send(hello);
        c.end();
      },
      13,
    ],
    [
      'with a compressed message',
      (c: ServerCall) => {
        c.stream.respond({ ':status': 200 });
        c.stream.write(Buffer.from([1, 0, 0, 0, 1, 1]));
      },
      13,
    ],
    ['larger than allowed', (c: ServerCall) => c.send(Buffer.alloc(2000)), 8],
  ] as const) {
    it(`a call fails on an answer ${title}, and the connection stays usable`, async () => {
      let first = true;
      await using server = await GrpcServer.listen((call) => {
        if (!first) return answerEcho(call);
        first = false;
        answer(call);
      });
      using channel = new TestChannel([server.endpoint], { maxMessageBytes: 1000 });
      assert.equal((await failure(channel.call(hello))).code, code);
      assert.deepEqual(await channel.call(hello), hello);
      assert.equal(server.sessions.size, 1);
    });
  }

  it('a call ends at its deadline and is cancelled at the server', async () => {
    const seen = Promise.withResolvers<number>();
    await using server = await GrpcServer.listen((call) => {
      call.stream.on('close', () => seen.resolve(call.stream.rstCode));
    });
    using channel = new TestChannel([server.endpoint]);
    const error = await failure(channel.call(hello, 50));
    assert.deepEqual([error.failure, error.delivery], ['deadline', 'sent']);
    assert.equal(await seen.promise, constants.NGHTTP2_CANCEL);
  });

  it('a call ends when its signal aborts, with the reason', async () => {
    const abort = new AbortController();
    await using server = await GrpcServer.listen(() => abort.abort('enough'));
    using channel = new TestChannel([server.endpoint]);
    const error = await failure(channel.call(hello, 5000, abort.signal));
    assert.deepEqual([error.failure, error.cause, error.delivery], ['aborted', 'enough', 'sent']);
    const later = await failure(channel.call(hello, 5000, abort.signal));
    assert.deepEqual([later.cause, later.delivery, server.calls], ['enough', 'unsent', 1]);
  });
});

describe('flow control', () => {
  it('flow control sends a request larger than the windows of the peer', async () => {
    await using server = await GrpcServer.listen(answerEcho, { settings: { initialWindowSize: 1000 } });
    using channel = new TestChannel([server.endpoint]);
    const large = randomBytes(2_000_000);
    // Two thousand round trips for the windows: the deadline allows for a busy machine.
    const [big, small] = await Promise.all([channel.call(large, 60_000), channel.call(hello, 60_000)]);
    assert.ok(big.equals(large));
    assert.deepEqual(small, hello);
  });

  it('flow control receives an answer of 40 MB, and others concurrently', async () => {
    const large = Buffer.alloc(40_000_000, 'abcdefg');
    await using server = await GrpcServer.listen(async (call) => {
      const message = await call.next();
      call.send(message?.equals(hello) ? large : (message ?? hello));
      call.end();
    }, roomy);
    using channel = new TestChannel([server.endpoint]);
    const big = channel.call(hello, 20_000);
    for (let i = 0; i < 20; i++) assert.equal((await channel.call(Buffer.from([i])))[0], i);
    assert.ok((await big).equals(large));
  });

  it('flow control stops the stream of a slow consumer, and no other', async () => {
    let sent = 0;
    await using server = await GrpcServer.listen(async (call) => {
      if (call.path === echo.path) return answerEcho(call);
      for (; sent < 64; sent++) {
        call.send(Buffer.alloc(256 * 1024));
        if (call.stream.writableNeedDrain) await once(call.stream, 'drain');
      }
      call.end();
    });
    using channel = new TestChannel([server.endpoint]);
    let received = 0;
    const over = Promise.withResolvers<void>();
    const call = channel.stream(
      '/test.Echo/Stream',
      { timeoutMs: 5000, first: (writer) => writer.raw(hello) },
      {
        message: () => {
          received++;
          if (received === 1) call.hold();
        },
        draining: () => {},
        ended: () => over.resolve(),
      },
    );
    await poll('the window is used up', 5000, () => (received >= 7 ? true : undefined));
    for (let i = 0; i < 20; i++) await channel.call(hello);
    assert.ok(received <= 9, `${received} messages came through a window of eight`);
    call.release();
    await over.promise;
    assert.equal(received, 64);
  });
});

describe('a channel', () => {
  it('a channel respects the peer’s limit of concurrent streams', async () => {
    let open = 0;
    let most = 0;
    await using server = await GrpcServer.listen(
      async (call) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setImmediate(resolve));
        open--;
        await answerEcho(call);
      },
      { settings: { maxConcurrentStreams: 3 } },
    );
    using channel = new TestChannel([server.endpoint]);
    await Promise.all(Array.from({ length: 50 }, () => channel.call(hello)));
    assert.ok(most <= 3, `${most} calls at once`);
    assert.equal(server.sessions.size, 1);
  });

  it('a channel connects to the next endpoint when one refuses connections', async () => {
    await using server = await GrpcServer.listen(answerEcho);
    const [dead] = await freePorts(1);
    using channel = new TestChannel([`http://127.0.0.1:${dead}`, server.endpoint]);
    assert.deepEqual(await channel.call(hello), hello);
  });

  it('a channel connects to the next endpoint when one accepts and sends nothing', async () => {
    await using server = await GrpcServer.listen(answerEcho);
    await using proxy = await TcpProxy.listen({ port: server.port });
    proxy.stall(true);
    using channel = new TestChannel([`http://127.0.0.1:${proxy.port}`, server.endpoint], {
      dialTimeoutMs: 100,
    });
    assert.deepEqual(await channel.call(hello), hello);
  });

  it('a channel rejects calls without a connection at their deadline, and dials with backoff', async () => {
    await using server = await GrpcServer.listen(answerEcho);
    await using proxy = await TcpProxy.listen({ port: server.port });
    proxy.refuse(true);
    using channel = new TestChannel([`http://127.0.0.1:${proxy.port}`]);
    const error = await failure(channel.call(hello, 400));
    assert.deepEqual([error.failure, error.delivery], ['deadline', 'unsent']);
    assert.ok(proxy.accepted >= 2 && proxy.accepted <= 12, `${proxy.accepted} attempts`);
    proxy.refuse(false);
    assert.deepEqual(await channel.call(hello), hello);
  });

  it('a channel never resends a call that was sent before its connection was lost', async () => {
    await using server = await GrpcServer.listen((call) => call.stream.session?.destroy());
    using channel = new TestChannel([server.endpoint]);
    const error = await failure(channel.call(hello));
    assert.deepEqual([error.failure, error.delivery], ['failed', 'sent']);
    assert.equal(server.calls, 1);
  });

  it('a channel sends a call on the next connection when nothing of it was sent before its connection was lost', async () => {
    await using server = await GrpcServer.listen(answerEcho);
    await using proxy = await TcpProxy.listen({ port: server.port });
    using channel = new TestChannel([`http://127.0.0.1:${proxy.port}`]);
    await channel.call(hello);
    proxy.cutAll();
    // When the reset arrives, the call of the same tick is still in the send buffer.
    const calls = Array.from({ length: 20 }, () => channel.call(hello));
    const results = await Promise.allSettled(calls);
    for (const result of results) {
      if (result.status === 'rejected') assert.equal((result.reason as RpcError).delivery, 'sent');
    }
    assert.deepEqual(await channel.call(hello), hello);
  });

  it('a channel reports that an incomplete request was not processed', async () => {
    await using server = await GrpcServer.listen(() => {}, { settings: { initialWindowSize: 1000 } });
    await using proxy = await TcpProxy.listen({ port: server.port });
    using channel = new TestChannel([`http://127.0.0.1:${proxy.port}`]);
    proxy.cutAfter('toServer', 150_000);
    const error = await failure(channel.call(randomBytes(1_000_000)));
    assert.deepEqual([error.delivery, error.neverProcessed], ['incomplete', true]);
  });

  it('a channel completes calls on a draining connection, and starts new ones on another', async () => {
    const waiting: ServerCall[] = [];
    await using server = await GrpcServer.listen((call) => {
      if (server.calls > 1) return answerEcho(call);
      waiting.push(call);
    });
    await using proxy = await TcpProxy.listen({ port: server.port });
    using channel = new TestChannel([`http://127.0.0.1:${proxy.port}`]);
    const first = channel.call(hello);
    await poll('the call arrives', 2000, () => waiting[0]);
    const [session] = server.sessions;
    session?.goaway(constants.NGHTTP2_NO_ERROR, 1);
    await poll('the channel has moved', 2000, async () => {
      await channel.call(hello);
      return proxy.open === 2 ? true : undefined;
    });
    waiting[0]?.send(hello);
    waiting[0]?.end();
    assert.deepEqual(await first, hello);
    await poll('the old connection closes', 2000, () => (proxy.open === 1 ? true : undefined));
  });

  for (const [title, refuse] of [
    ['GOAWAY names an earlier stream', (call: ServerCall) => call.stream.session?.goaway(0, 1)],
    ['the stream is refused', (call: ServerCall) => call.stream.close(constants.NGHTTP2_REFUSED_STREAM)],
  ] as const) {
    it(`a channel reports that a call was not processed when ${title}`, async () => {
      await using server = await GrpcServer.listen((call) =>
        server.calls === 1 ? answerEcho(call) : refuse(call),
      );
      using channel = new TestChannel([server.endpoint]);
      await channel.call(hello);
      const error = await failure(channel.call(hello));
      assert.deepEqual([error.delivery, error.neverProcessed], ['refused', true]);
      assert.equal(server.calls, 2);
    });
  }

  it('a channel detects that its peer does not answer', async () => {
    await using server = await GrpcServer.listen(answerEcho);
    await using proxy = await TcpProxy.listen({ port: server.port });
    const timing = { keepaliveMs: 100, keepaliveTimeoutMs: 100 };
    using channel = new TestChannel([`http://127.0.0.1:${proxy.port}`, server.endpoint], timing);
    await channel.call(hello);
    proxy.stall(true);
    const error = await failure(channel.call(hello, 10_000));
    assert.match(error.message, /does not answer/);
    assert.deepEqual(await channel.call(hello), hello);
  });

  it('a channel keeps a connection whose peer answers pings', async () => {
    const late = Promise.withResolvers<ServerCall>();
    await using server = await GrpcServer.listen((call) => late.resolve(call));
    const pinged = new Promise<void>((resolve) => {
      void poll('a session', 2000, () => [...server.sessions][0]).then((s) =>
        s.once('ping', () => resolve()),
      );
    });
    using channel = new TestChannel([server.endpoint], { keepaliveMs: 100, keepaliveTimeoutMs: 100 });
    const call = channel.call(hello);
    await pinged;
    await channel.call(hello, 300).catch(() => undefined);
    (await late.promise).send(hello);
    (await late.promise).end();
    assert.deepEqual(await call, hello);
  });

  it('a channel fails everything when it is closed', async () => {
    await using server = await GrpcServer.listen(() => channel.close());
    const channel = new TestChannel([server.endpoint]);
    assert.equal((await failure(channel.call(hello))).failure, 'closed');
    assert.equal((await failure(channel.call(hello))).failure, 'closed');
  });

  it('a channel survives a peer that sends random bytes', async () => {
    const settings = Buffer.from('000000040000000000', 'hex');
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write(Buffer.concat([settings, randomBytes(5000)]));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    using channel = new TestChannel([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
    const error = await failure(channel.call(hello, 300));
    assert.ok(error.failure === 'failed' || error.failure === 'deadline');
    channel.close();
    server.close();
  });

  it('a channel causes no warning when hundreds of calls share one signal', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on('warning', listen);
    await using server = await GrpcServer.listen(answerEcho);
    using channel = new TestChannel([server.endpoint]);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 200 }, () => channel.call(hello, 5000, signal)));
    process.off('warning', listen);
    assert.deepEqual(warnings, []);
  });
});

describe('an endpoint', () => {
  for (const [text, expected] of [
    ['http://10.0.0.1:2379', 'http://10.0.0.1:2379'],
    ['https://etcd.example:2400/', 'https://etcd.example:2400'],
    ['localhost:1234', 'http://localhost:1234'],
    ['localhost', 'http://localhost:2379'],
    ['https://host', 'https://host:2379'],
    ['https://host:443', 'https://host:443'],
    ['http://[::1]:2379', 'http://[::1]:2379'],
  ] as const) {
    it(`an endpoint is read from ${text}`, () => assert.equal(parseEndpoint(text).url, expected));
  }
  for (const text of [
    '',
    'ftp://host',
    'http://host/path',
    'http://',
    'http://host:99999',
    'unix:///run/etcd',
  ]) {
    it(`an endpoint is not read from ${JSON.stringify(text)}`, () =>
      assert.throws(() => parseEndpoint(text), /etcd endpoint/));
  }
});
