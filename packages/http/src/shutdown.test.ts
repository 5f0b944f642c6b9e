import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { aborted, anySignal, withDeadline } from '@orch/machinery/concurrency';
import { systemClock } from '@orch/machinery/env';
import type { Handler, ResourceContext } from '@orch/request';
import { type Adversary, type AdversaryTarget, adversaries } from './testing/adversaries.ts';
import { acceptedDescriptors } from './testing/descriptors.ts';
import { servingTls } from './testing/serving-tls.ts';
import { head, reader, type TestServer, testServer } from './testing/test-server.ts';

const never = new AbortController().signal;
const large = Buffer.alloc(8 * 1024 * 1024, 'x');

/** Depending on the path: a large reply, a watch until the drain, or a tunnel until the drain. */
const resources: Handler<ResourceContext> = async ({ request, info }) => {
  if (info.verb === 'watch')
    return {
      kind: 'stream',
      status: 200,
      headers: {},
      async run(sink, { signal, draining }) {
        sink.write(info.resource === 'pods' ? Buffer.from('s') : large);
        using either = anySignal([signal, draining]);
        await aborted(either.signal);
      },
    };
  if (request.upgrade() === undefined) {
    if (request.method === 'POST') await request.body(100_000);
    return {
      kind: 'bytes',
      status: 200,
      headers: {},
      body: info.name === 'small' ? Buffer.from('s') : large,
    };
  }
  return {
    kind: 'upgrade',
    status: 101,
    headers: { Connection: 'Upgrade', Upgrade: 'SPDY/3.1' },
    async run(_client, { signal }) {
      await aborted(signal);
    },
    abandon: () => undefined,
  };
};

const targetOf = ({ port }: TestServer): AdversaryTarget => ({
  port,
  ca: servingTls.cert,
  largePath: '/api/v1/nodes/large',
  watchPath: '/api/v1/nodes?watch=1',
  tunnelPath: '/api/v1/nodes/tunnel',
});

/** A complete request of another client: when it is answered, everything sent before it has been read. */
async function serveAnother(server: TestServer): Promise<void> {
  const session = server.http2();
  const stream = session.request({ ':path': '/api/v1/nodes/small', authorization: 'Bearer secret' });
  stream.resume();
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  assert.equal(headers[':status'], 200);
  await once(stream, 'close');
  session.close();
  await once(session, 'close');
}

/** Waits until the server has `count` connections; the timeout of the test is the deadline. */
async function descriptorsAre(port: number, count: number): Promise<void> {
  while (acceptedDescriptors(port) !== count) await pause(5);
}

describe('drain of a listener', { timeout: 60_000 }, () => {
  const drained = async (adversary: Adversary, graceMs: number): Promise<string> => {
    await using server = await testServer({
      resources,
      limits: { lingerTimeoutMs: 50, drainIdleTimeoutMs: 50 },
    });
    const socket = await adversary.attack(targetOf(server));
    try {
      await serveAnother(server);
      using grace = withDeadline(never, systemClock, graceMs);
      await server.listener.drain(grace.signal);
      assert.equal(acceptedDescriptors(server.port), 0, 'descriptors of connections after the drain');
      return grace.signal.aborted ? 'cut off' : 'over before';
    } finally {
      socket.destroy();
    }
  };

  for (const adversary of adversaries) {
    if (adversary.holdsRequest)
      it(`the drain ends with the grace period and leaks no descriptor when a client ${adversary.does}`, async () => {
        await drained(adversary, 300);
      });
    else
      it(`the drain ends before the grace period and leaks no descriptor when a client ${adversary.does}`, async () => {
        assert.equal(await drained(adversary, 5_000), 'over before');
      });
  }
});

describe('signal of the drain', { timeout: 60_000 }, () => {
  it('open watches leave one listener at the signal, and each ends when it aborts', async () => {
    const seen = new Set<AbortSignal>();
    let ended = 0;
    const watch: Handler<ResourceContext> = async () => ({
      kind: 'stream',
      status: 200,
      headers: {},
      async run(sink, { draining }) {
        seen.add(draining);
        sink.write(Buffer.from('s'));
        await aborted(draining);
        ended += 1;
      },
    });
    await using server = await testServer({ resources: watch });
    const session = server.http2();
    const streams = Array.from({ length: 50 }, () =>
      session.request({ ':path': '/api/v1/pods?watch=1', authorization: 'Bearer secret' }),
    );
    await Promise.all(streams.map((stream) => once(stream, 'data')));
    const [draining, ...others] = seen;
    assert.ok(draining !== undefined && others.length === 0);
    assert.equal(getEventListeners(draining, 'abort').length, 1);
    await server.listener.drain(never);
    assert.equal(ended, streams.length);
    session.destroy();
  });
});

describe('descriptors of finished connections', { timeout: 60_000 }, () => {
  for (const what of ['GOAWAY', 'PING', 'SETTINGS', 'streams and resets', 'ends its side']) {
    for (const adversary of adversaries.filter(({ does }) => does.includes(what)))
      it(`a descriptor is released long before the idle timeout when a client ${adversary.does}`, async () => {
        await using server = await testServer({ resources, limits: { lingerTimeoutMs: 50 } });
        const socket = await adversary.attack(targetOf(server));
        try {
          await serveAnother(server);
          await descriptorsAre(server.port, 0);
        } finally {
          socket.destroy();
        }
      });
  }
});

describe('requests that arrive during a drain', { timeout: 60_000 }, () => {
  const small = head('GET /api/v1/nodes/small HTTP/1.1');
  const watch = head('GET /api/v1/pods?watch=1 HTTP/1.1');

  it('a request over a kept connection is answered, and the reply has Connection: close', async () => {
    await using server = await testServer({ resources });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(small);
    await received.until(/\r\n\r\ns$/);
    const drained = server.listener.drain(never);
    socket.write(small);
    await received.until(/sHTTP\/1\.1 200 OK[\s\S]*\r\nConnection: close\r\n[\s\S]*s$/);
    await drained;
  });

  it('a request that follows on a watch which the drain has ended is answered', async () => {
    await using server = await testServer({ resources });
    const socket = await server.connect();
    const received = reader(socket);
    socket.write(watch);
    await received.until(/\r\ns\r\n$/);
    const drained = server.listener.drain(never);
    await received.until(/\r\n0\r\n\r\n$/);
    socket.write(small);
    await received.until(/\r\nConnection: close\r\n[\s\S]*s$/);
    await drained;
  });

  for (const protocol of ['h2', 'http/1.1'] as const)
    it(`the first request of a connection whose handshake was not completed is answered over ${protocol}`, async () => {
      await using server = await testServer({ resources });
      const tcp = connect(server.port, '127.0.0.1');
      await once(tcp, 'connect');
      await serveAnother(server);
      const drained = server.listener.drain(never);
      const socket = connectTls({ socket: tcp, ca: servingTls.cert, ALPNProtocols: [protocol] });
      await once(socket, 'secureConnect');
      if (protocol === 'h2') {
        const session = connectHttp2('https://127.0.0.1', { createConnection: () => socket });
        const stream = session.request({ ':path': '/api/v1/nodes/small', authorization: 'Bearer secret' });
        const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
        assert.equal(headers[':status'], 200);
      } else {
        const received = reader(socket);
        socket.write(small);
        await received.until(/^HTTP\/1\.1 200 OK/);
      }
      await drained;
    });
});
