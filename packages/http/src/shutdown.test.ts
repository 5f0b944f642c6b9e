import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { aborted, anySignal, systemClock, withDeadline } from '@orch/machinery';
import type { Handler, ResourceContext } from '@orch/request';
import { type Adversary, type AdversaryTarget, adversaries } from './testing/adversaries.ts';
import { acceptedDescriptors } from './testing/descriptors.ts';
import { servingTls } from './testing/serving-tls.ts';
import { type TestServer, testServer } from './testing/test-server.ts';

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
        sink.write(large);
        using either = anySignal([signal, draining]);
        await aborted(either.signal);
      },
    };
  if (request.upgrade() === undefined) {
    if (request.method === 'POST') await request.body(100_000);
    return { kind: 'bytes', status: 200, headers: {}, body: info.name === 'small' ? Buffer.of(1) : large };
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
    await using server = await testServer({ resources, limits: { lingerTimeoutMs: 50 } });
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
