import assert from 'node:assert/strict';
import { type Http2Session, constants as protocol, type ServerHttp2Stream } from 'node:http2';
import { describe, it } from 'node:test';
import { FakeClock, until } from '@orch/machinery/testing';
import { clients } from './testing/certificates.ts';
import {
  fetchText,
  get,
  http1Peer,
  http2Peer,
  type Peer,
  post,
  relayTo,
  settingsFor,
  soon,
  textOf,
  transportTo,
  Wallet,
} from './testing/peers.ts';
import { type Transport, TransportError, type TransportRequest } from './transport.ts';

const session = (stream: ServerHttp2Stream): Http2Session => {
  assert.ok(stream.session);
  return stream.session;
};

/** A server that treats its second stream badly and answers all others with their number. */
async function badOnce(
  spoil: (stream: ServerHttp2Stream) => void,
): Promise<AsyncDisposable & { readonly peer: Peer; readonly streams: () => number }> {
  let streams = 0;
  const peer = await http2Peer((stream) => {
    streams++;
    if (streams === 2) spoil(stream);
    else stream.end(`answer ${streams}`);
  });
  return { peer, streams: () => streams, [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose]() };
}

describe('requests whose connection is lost before the response', () => {
  const refused = (stream: ServerHttp2Stream): void => stream.close(protocol.NGHTTP2_REFUSED_STREAM);
  const unseen = (stream: ServerHttp2Stream): void => {
    session(stream).goaway(protocol.NGHTTP2_NO_ERROR, (stream.id ?? 0) - 2);
  };
  const unseenWithError = (stream: ServerHttp2Stream): void => {
    session(stream).goaway(protocol.NGHTTP2_ENHANCE_YOUR_CALM, (stream.id ?? 0) - 2);
  };
  const broken = (stream: ServerHttp2Stream): void => void session(stream).socket.destroy();
  const reset = (stream: ServerHttp2Stream): void => stream.close(protocol.NGHTTP2_INTERNAL_ERROR);
  const seenWithError = (stream: ServerHttp2Stream): void => {
    session(stream).goaway(protocol.NGHTTP2_PROTOCOL_ERROR, stream.id ?? 0);
  };

  for (const [what, spoil, method, outcome] of [
    ['REFUSED_STREAM', refused, 'POST', 'again'],
    ['REFUSED_STREAM', refused, 'GET', 'again'],
    ['GOAWAY that does not name it', unseen, 'POST', 'again'],
    ['GOAWAY with an error that does not name it', unseenWithError, 'POST', 'again'],
    ['GOAWAY with an error that names it', seenWithError, 'POST', 'unknown'],
    ['broken connection', broken, 'POST', 'unknown'],
    ['broken connection', broken, 'GET', 'again'],
    ['reset stream', reset, 'POST', 'unknown'],
    ['reset stream', reset, 'GET', 'unknown'],
  ] as const) {
    it(`a ${method} ${outcome === 'again' ? 'is sent again' : 'fails with an unknown outcome'} after a ${what}`, async () => {
      await using server = await badOnce(spoil);
      await using transport = transportTo(settingsFor(server.peer.url));
      assert.equal(await fetchText(transport, get('/')), 'answer 1');
      const request: TransportRequest = method === 'POST' ? post('/', 'body') : get('/');
      const answer = transport.send(request, soon()).then(textOf);
      if (outcome === 'again') assert.equal(await answer, 'answer 3');
      else {
        await assert.rejects(
          answer,
          (error) => error instanceof TransportError && error.outcome === 'unknown',
        );
        assert.equal(server.streams(), 2);
        assert.equal(await fetchText(transport, get('/')), 'answer 3', 'the next one works');
      }
    });
  }

  it('a request is sent a limited number of times to a server that refuses every stream', async () => {
    let streams = 0;
    await using peer = await http2Peer((stream) => {
      streams++;
      refused(stream);
    });
    await using transport = transportTo(settingsFor(peer.url));
    await assert.rejects(transport.send(post('/', 'x'), soon()), {
      name: 'TransportError',
      outcome: 'notSent',
    });
    assert.equal(streams, 5);
  });

  it('a request without effects is sent again after the end of a kept HTTP/1.1 connection', async () => {
    let requests = 0;
    await using peer = await http1Peer((request, response) => {
      requests++;
      // Every second request finds its connection gone.
      if (requests % 2 === 0) request.socket.destroy();
      else response.end(`answer ${requests}`);
    });
    await using transport = transportTo(settingsFor(peer.url));
    assert.equal(await fetchText(transport, get('/')), 'answer 1');
    assert.equal(await fetchText(transport, get('/')), 'answer 3');
    await assert.rejects(transport.send(post('/', 'x'), soon()), { outcome: 'unknown' });
    assert.equal(requests, 4);
  });

  it('a request without a server fails with the outcome notSent', async () => {
    const peer = await http2Peer((stream) => stream.end());
    await peer[Symbol.asyncDispose]();
    await using transport = transportTo(settingsFor(peer.url));
    await assert.rejects(transport.send(get('/'), soon()), {
      name: 'TransportError',
      outcome: 'notSent',
      message: /cannot connect to https:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/,
    });
  });
});

describe('graceful GOAWAY', () => {
  it('current requests complete on the old connection while new ones use another', async () => {
    const held: ServerHttp2Stream[] = [];
    await using peer = await http2Peer((stream, headers) => {
      if (headers[':path'] === '/slow') held.push(stream);
      else stream.end('quick');
    });
    await using transport = transportTo(settingsFor(peer.url));
    const slow = fetchText(transport, get('/slow'));
    await until(() => held.length === 1);
    const [stream] = held;
    assert.ok(stream);
    session(stream).close();
    while (peer.connections === 1) assert.equal(await fetchText(transport, get('/quick')), 'quick');
    stream.end('slow');
    assert.equal(await slow, 'slow');
    await until(() => peer.sessions.size === 1);
  });
});

describe('connections after GOAWAY', () => {
  for (const [how, end] of [
    ['is closed', (one: Ends) => one.transport.close()],
    ['is reset', async (one: Ends) => one.transport.reset('test')],
    [
      'gets another client certificate',
      async (one: Ends) => one.credentials.change({ headers: {}, tls: clients.two }),
    ],
  ] as const) {
    it(`a watch over a connection after GOAWAY ends when the transport ${how}`, async () => {
      const clock = new FakeClock();
      await using peer = await http2Peer((stream) => void stream.respond({ ':status': 200 }));
      const credentials = new Wallet({ headers: {}, tls: clients.one });
      await using transport = transportTo(settingsFor(peer.url, { credentials }), { clock });
      const watch = await transport.send(get('/watch'), soon());
      for (const one of peer.sessions) one.close();
      await until(() => peer.sessions.size === 1);
      const other = await transport.send(get('/other'), soon());
      const ended = [watch, other].map((one) => assert.rejects(textOf(one), { name: 'TransportError' }));
      await end({ transport, credentials });
      await clock.advanceAsync(10_000);
      await Promise.all(ended);
      await until(() => peer.sessions.size === 0);
    });
  }
});

interface Ends {
  readonly transport: Transport;
  readonly credentials: Wallet;
}

describe('received responses', () => {
  it('a received response survives its connection, also if it is read later', async () => {
    const text = 'x'.repeat(50_000);
    await using peer = await http2Peer((stream) => {
      stream.respond({ ':status': 200 });
      stream.end(text);
    });
    await using transport = transportTo(settingsFor(peer.url));
    for (const lose of [() => peer.endSockets(), () => transport.reset('test')]) {
      const response = await transport.send(get('/'), soon());
      // The data that the server has sent arrives after some turns of the event loop.
      for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
      lose();
      await until(() => peer.sessions.size === 0);
      assert.equal(await textOf(response), text);
    }
  });
});

describe('interrupted bodies', () => {
  const cuts: Readonly<Record<string, (stream: ServerHttp2Stream, peer: Peer) => void>> = {
    'by the end of the connection': (stream) => void session(stream).socket.destroy(),
    'by an orderly end of the connection': (_, peer) => peer.endSockets(),
    'by RST_STREAM': (stream) => void stream.destroy(new Error('spoilt')),
    'by GOAWAY with an error': (stream) =>
      session(stream).destroy(new Error('x'), protocol.NGHTTP2_INTERNAL_ERROR),
  };
  for (const [how, cut] of Object.entries(cuts)) {
    it(`an interrupted body throws a TransportError after its received data: ${how}`, async () => {
      const open: ServerHttp2Stream[] = [];
      await using peer = await http2Peer((stream) => {
        stream.respond({ ':status': 200 });
        stream.write('first');
        open.push(stream);
      });
      await using transport = transportTo(settingsFor(peer.url));
      const response = await transport.send(get('/'), soon());
      const chunks: string[] = [];
      await assert.rejects(
        async () => {
          for await (const chunk of response.body) {
            chunks.push(Buffer.from(chunk).toString());
            const [stream] = open;
            if (stream !== undefined) cut(stream, peer);
          }
        },
        { name: 'TransportError' },
      );
      assert.deepEqual(chunks, ['first']);
    });
  }

  for (const [how, head] of [
    ['shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst'],
    ['without its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n'],
    ['with a malformed chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\nx\r\n'],
  ] as const) {
    it(`an interrupted HTTP/1.1 body throws a TransportError: ${how}`, async () => {
      await using peer = await http1Peer((request) => void request.socket.end(head));
      await using transport = transportTo(settingsFor(peer.url));
      const response = await transport.send(get('/'), soon());
      await assert.rejects(textOf(response), { name: 'TransportError', outcome: 'unknown' });
    });
  }
});

describe('unresponsive servers', () => {
  it('an unresponsive server is detected after half a minute, and requests use a new connection', async () => {
    const clock = new FakeClock();
    await using peer = await http2Peer((stream, headers) => {
      stream.respond({ ':status': 200 });
      if (headers[':path'] === '/watch') stream.write('event');
      else stream.end('ok');
    });
    await using relay = await relayTo(peer.port);
    await using transport = transportTo(settingsFor(`https://127.0.0.1:${relay.port}`), { clock });
    const watch = await transport.send(get('/watch'), soon());
    const body = watch.body[Symbol.asyncIterator]();
    await body.next();
    relay.freeze();
    const lost = assert.rejects(body.next(), {
      name: 'TransportError',
      message: /did not respond to a ping/,
    });
    await clock.advanceAsync(15_000);
    assert.equal(peer.sessions.size, 1, 'it has time to answer');
    await clock.advanceAsync(15_000);
    await lost;
    assert.equal(await fetchText(transport, get('/')), 'ok');
  });

  it('a connection is kept while the server responds to pings', async () => {
    const clock = new FakeClock();
    await using peer = await http2Peer((stream) => void stream.respond({ ':status': 200 }));
    let pings = 0;
    await using transport = transportTo(settingsFor(peer.url), { clock });
    const watch = await transport.send(get('/watch'), soon());
    for (const one of peer.sessions) one.on('ping', () => pings++);
    for (let i = 1; i <= 20; i++) {
      await clock.advanceAsync(15_000);
      await until(() => pings === i && clock.pending === 1);
      // The answer to the ping schedules the next one.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.equal(peer.connections, 1);
    await watch.body[Symbol.asyncIterator]().return?.();
  });
});

describe('failed connections', () => {
  it('a connection attempt fails at the deadline when the server does not respond', async () => {
    const clock = new FakeClock();
    const { createServer } = await import('node:net');
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    await using transport = transportTo(settingsFor(`https://127.0.0.1:${port}`), { clock });
    const sent = transport.send(get('/'), soon());
    const failed = assert.rejects(sent, { outcome: 'notSent', message: /no connection within 10000 ms/ });
    await until(() => clock.pending > 0);
    await clock.advanceAsync(10_000);
    await failed;
    silent.close();
  });
});
