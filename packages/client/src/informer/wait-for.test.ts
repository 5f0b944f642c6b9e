import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { settle } from '@orch/machinery/testing';
import { configMap, configMaps, testClient } from '../testing/index.ts';
import { hasCondition, waitFor } from './wait-for.ts';

describe('waiting for a condition', () => {
  const options = { resource: configMaps, namespace: 'default', name: 'a', timeoutMs: 60_000 };
  const place = { collection: '/configmaps', namespace: 'default', name: 'a' };

  it('waitFor resolves when the condition holds, also over a lost connection', async () => {
    const { client, env, api, stop } = testClient();
    const waiting = waitFor({ ...options, client, env, is: (o) => hasCondition(o, 'Ready') }, stop.signal);
    await settle();
    api.objects.create(place, configMap('a'), '');
    await settle();
    for (const watch of [...api.watches]) watch.cut();
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    api.objects.update(place, { ...configMap('a'), status });
    await env.clock.advanceAsync(1000);
    assert.deepEqual((await waiting)?.['status'], status);
    assert.deepEqual([api.watches.size, env.clock.pending], [0, 0]);
  });

  it('waitFor can wait for the deletion of an object', async () => {
    const { client, env, api, stop } = testClient();
    api.objects.create(place, configMap('a'), '');
    const waiting = waitFor({ ...options, client, env, is: (o) => o === undefined }, stop.signal);
    for (let i = 0; i < 5; i++) await settle();
    api.objects.delete(place, {}, '');
    assert.equal(await waiting, undefined);
  });

  it('waitFor rejects at its deadline, with the reason of its signal, and with errors of its condition', async () => {
    const { client, env, api } = testClient();
    const broken = (): never => {
      throw new Error('broken');
    };
    for (const [is, expected, cancel] of [
      [() => false, DeadlineExceeded, undefined],
      [() => false, /enough/, new Error('enough')],
      [broken, /broken/, undefined],
    ] as const) {
      const stop = new AbortController();
      const waiting = assert.rejects(waitFor({ ...options, client, env, is }, stop.signal), expected);
      if (cancel !== undefined) stop.abort(cancel);
      await env.clock.advanceAsync(61_000);
      await waiting;
      assert.deepEqual([api.watches.size, env.clock.pending], [0, 0]);
    }
  });
});
