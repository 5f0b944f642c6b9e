import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createMetrics } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import { FirstThread } from './first-thread.ts';

const input = {
  number: 2,
  replica: 'a',
  memory: {
    audit: new SharedArrayBuffer(8),
    inflight: new SharedArrayBuffer(8),
    backups: new SharedArrayBuffer(4),
    ticketSecret: new SharedArrayBuffer(32),
    progress: [new SharedArrayBuffer(24)],
  },
};

/** A further thread, and the end of the first one. */
function open() {
  const { port1: first, port2 } = new MessageChannel();
  const clock = new FakeClock();
  const thread = new FirstThread(port2, { clock, metrics: createMetrics() });
  return { first, clock, thread, [Symbol.dispose]: () => first.close() };
}

describe('a further thread of a server', () => {
  it('a further thread serves on the port of the first one', async () => {
    using opened = open();
    opened.first.postMessage({ type: 'serve', port: 4711 });
    assert.equal(await opened.thread.port, 4711);
  });

  it('a further thread that is stopped before the port is open does not serve', async () => {
    using opened = open();
    opened.first.postMessage({ type: 'stop' });
    assert.equal(await opened.thread.port, undefined);
    assert.ok(opened.thread.stop.aborted);
  });

  it('a further thread uses the certificates that the first one has renewed', async () => {
    using opened = open();
    const renewed: RenewedPairs = { serving: { cert: 'cert', key: 'key' }, proxyClient: undefined };
    const used = new Promise((resolve) => opened.thread.further(1, input).onRenewed(resolve));
    opened.first.postMessage({ type: 'renewed', renewed });
    assert.deepEqual(await used, renewed);
  });

  it('a further thread follows the objects of the first one', async () => {
    using opened = open();
    const { port1, port2 } = new MessageChannel();
    opened.first.postMessage({ type: 'feeds', ports: [port2] }, [port2]);
    opened.first.postMessage({ type: 'serve', port: 4711 });
    const { feeds } = opened.thread.further((await opened.thread.port) ?? 0, input);
    port1.postMessage('an event');
    assert.ok(feeds[0]);
    assert.deepEqual(await once(feeds[0], 'message'), ['an event']);
    port1.close();
  });

  it('a further thread receives the metrics of all threads from the first one', async () => {
    using opened = open();
    const { exposition } = opened.thread.further(1, input);
    const text = exposition('openMetrics');
    const [request] = await once(opened.first, 'message');
    const question = { name: 'exposition', of: ['openMetrics'] };
    assert.deepEqual(request, { type: 'question', id: 1, question });
    opened.first.postMessage({ type: 'answer', id: 1, answer: '# EOF' });
    assert.equal(await text, '# EOF');
  });

  it('a further thread counts questions to other replicas at the first one', async () => {
    using opened = open();
    const own = { begin: () => assert.fail(), end: () => assert.fail() };
    const limits = opened.thread.further(1, input).questionLimits(own);
    const refusal = { problem: 'too many', retryAfterSeconds: 5 };
    for (const [id, name, answer] of [
      [1, 'beginQuestion', refusal],
      [2, 'endQuestion', undefined],
    ] as const) {
      const counting = id === 1 ? limits.begin('ann') : limits.end('ann');
      const [request] = await once(opened.first, 'message');
      assert.deepEqual(request, { type: 'question', id, question: { name, of: ['ann'] } });
      opened.first.postMessage({ type: 'answer', id, answer });
      assert.deepEqual(await counting, answer);
    }
  });

  it('a scrape of a further thread fails when the first one does not answer in time', async () => {
    using opened = open();
    const text = opened.thread.further(1, input).exposition();
    opened.clock.advance(10_000);
    await assert.rejects(text, /does not answer in time/);
  });
});
