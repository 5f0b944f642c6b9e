import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { FakeClock, until } from '@orch/machinery/testing';
import { clients } from './testing/certificates.ts';
import { get, http2Peer, settingsFor, textOf, transportTo, Wallet } from './testing/peers.ts';

const open = (kind: string): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === kind).length;

describe('resources of connections', () => {
  it('a thousand reconnections leave no listeners, timers or sockets', { timeout: 120_000 }, async () => {
    const clock = new FakeClock();
    await using peer = await http2Peer((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('first');
    });
    const credentials = new Wallet({ headers: {}, tls: clients.one });
    await using transport = transportTo(settingsFor(peer.url, { credentials }), { clock });
    const { signal } = new AbortController();
    const endings = ['reset', 'server', 'certificate', 'left'] as const;
    const before = { sockets: open('TCPSocketWrap'), memory: 0 };
    for (let i = 0; i < 1000; i++) {
      const { body } = await transport.send(get('/watch'), signal);
      const chunks = body[Symbol.asyncIterator]();
      await chunks.next();
      const how = endings[i % endings.length];
      if (how === 'left') await chunks.return?.();
      else {
        const ended = assert.rejects(async () => chunks.next(), { name: 'TransportError' });
        if (how === 'reset') transport.reset('test');
        if (how === 'server') for (const session of peer.sessions) session.destroy();
        if (how === 'certificate') {
          credentials.change({ headers: {}, tls: i % 8 < 4 ? clients.two : clients.one });
          await clock.advanceAsync(10_000);
        }
        await ended;
      }
    }
    assert.ok(peer.connections >= 700, String(peer.connections));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    assert.equal(credentials.listeners.size, 1);
    await until(() => peer.sessions.size <= 1);
    assert.ok(clock.pending <= 1, `${clock.pending} timers`);
    await transport.close();
    await until(() => peer.sessions.size === 0 && open('TCPSocketWrap') <= before.sockets);
    assert.equal(clock.pending, 0);
  });

  it('failed requests do not cause reconnections', async () => {
    await using peer = await http2Peer((stream) => void stream.destroy(new Error('x')));
    await using transport = transportTo(settingsFor(peer.url));
    const { signal } = new AbortController();
    for (let i = 0; i < 200; i++)
      await assert.rejects(async () => textOf(await transport.send(get('/'), signal)), {
        name: 'TransportError',
      });
    assert.equal(peer.connections, 1);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
