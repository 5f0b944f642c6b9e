import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerLoop, informerFactory } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { type NamespaceOptions, namespaceController } from './controller.ts';
import { type DiscoveredApi, discoveredApi, served } from './testing/discovered-api.ts';

const namespaces = served('namespaces', 'Namespace', { namespaced: false });
const configMaps = served('configmaps', 'ConfigMap');
const NOW = '2024-01-01T00:00:00Z';

/** A namespace `x` and a running controller. */
async function running(more: Partial<NamespaceOptions> = {}): Promise<DiscoveredApi & AsyncDisposable> {
  const made = discoveredApi([namespaces, configMaps]);
  const { env, client, api, stop } = made;
  const place = { collection: '/namespaces', namespace: '', name: 'x' };
  const spec = { finalizers: ['orch', 'example.com/other'] };
  api.objects.create(place, { metadata: { finalizers: ['example.com/kept'] }, spec }, NOW);
  const informers = informerFactory({ client, env, freeze: true });
  const context = { env, client, informers, events: { record: () => {} } };
  const options = { concurrency: 2, resyncMs: 300_000, ...more };
  const loop = controllerLoop(env, namespaceController(context, options));
  const runs = [loop.run(stop.signal), informers.run(stop.signal)];
  return Object.assign(made, {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(runs);
    },
  });
}

const namespaceOf = ({ api }: DiscoveredApi): ApiObject =>
  api.objects.get({ collection: '/namespaces', namespace: '', name: 'x' });

const put = ({ api }: DiscoveredApi, name: string, finalizers: string[] = []): ApiObject =>
  api.objects.create(
    { collection: '/configmaps', namespace: 'x', name },
    { metadata: { ...(finalizers.length === 0 ? {} : { finalizers }) } },
    NOW,
  );

const remove = ({ api }: DiscoveredApi): ApiObject =>
  api.objects.delete({ collection: '/namespaces', namespace: '', name: 'x' }, {}, NOW);

/** Advances the clock in small steps, so that intermediate work is done in time. */
async function pass(made: DiscoveredApi, ms: number): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await settle();
  const stepMs = Math.max(100, ms / 100);
  for (let passed = 0; passed < ms; passed += stepMs) await made.env.clock.advanceAsync(stepMs);
  for (let turn = 0; turn < 100; turn++) await settle();
}

const isFinalized = (made: DiscoveredApi): boolean => {
  const { finalizers } = namespaceOf(made)['spec'] as { finalizers: string[] };
  return !finalizers.includes('orch');
};

describe('the namespace controller', () => {
  it('a namespace that is not being deleted keeps its content', async () => {
    await using made = await running();
    put(made, 'a');
    await pass(made, 60_000);
    assert.equal(made.api.objects.list('/configmaps').length, 1);
    assert.equal(isFinalized(made), false);
  });

  it('a namespace that is examined once, after a short delay, is read once', async () => {
    await using made = await running({ finalizeDelayMs: 20 });
    put(made, 'a');
    await pass(made, 100);
    let reads = 0;
    made.onRequest = ({ method, target }) => {
      if (method === 'GET' && target.endsWith('/namespaces/x')) reads += 1;
    };
    remove(made);
    await pass(made, 1_000);
    assert.deepEqual(made.api.objects.list('/configmaps'), []);
    assert.ok(isFinalized(made));
    assert.equal(reads, 1);
  });

  it('a namespace is removed before the end of a short delay as soon as the only server is idle', async () => {
    let isIdle = false;
    await using made = await running({ finalizeDelayMs: 20, isServerIdle: () => isIdle });
    put(made, 'a');
    await pass(made, 100);
    remove(made);
    for (let ms = 0; ms < 10; ms++) await made.env.clock.advanceAsync(1);
    assert.equal(made.api.objects.list('/configmaps').length, 1);
    isIdle = true;
    for (let ms = 0; ms < 5; ms++) await made.env.clock.advanceAsync(1);
    await pass(made, 0);
    assert.deepEqual(made.api.objects.list('/configmaps'), []);
    assert.ok(isFinalized(made));
  });

  it('a namespace is removed after the delay if the server is never idle', async () => {
    await using made = await running({ finalizeDelayMs: 20, isServerIdle: () => false });
    put(made, 'a');
    await pass(made, 100);
    remove(made);
    await pass(made, 1_000);
    assert.ok(isFinalized(made));
  });

  it('the content is deleted at once, and the finalizer is removed when all servers had time to receive the deletion', async () => {
    await using made = await running();
    put(made, 'a');
    await pass(made, 100);
    remove(made);
    await pass(made, 1_000);
    assert.deepEqual(made.api.objects.list('/configmaps'), []);
    assert.equal(isFinalized(made), false);
    // A server that has not received the deletion creates one more object.
    put(made, 'late');
    await pass(made, 10_000);
    assert.deepEqual(made.api.objects.list('/configmaps'), []);
    assert.ok(isFinalized(made));
    assert.deepEqual(namespaceOf(made)['spec'], { finalizers: ['example.com/other'] });
  });

  it('the finalizer is never removed while content remains', async () => {
    await using made = await running();
    put(made, 'held', ['example.com/a']);
    await pass(made, 100);
    remove(made);
    await pass(made, 120_000);
    assert.equal(isFinalized(made), false);
    made.failures.set('/api', 500);
    const place = { collection: '/configmaps', namespace: 'x', name: 'held' };
    made.api.objects.update(place, { metadata: {} });
    await pass(made, 60_000);
    assert.equal(isFinalized(made), false, 'resources that cannot be discovered may have objects');
    made.failures.clear();
    await pass(made, 20_000);
    assert.ok(isFinalized(made));
  });

  it('an unchanged status is not written', async () => {
    await using made = await running();
    put(made, 'held', ['example.com/a']);
    await pass(made, 100);
    remove(made);
    await pass(made, 10_000);
    const { resourceVersion } = namespaceOf(made).metadata;
    await pass(made, 120_000);
    assert.equal(namespaceOf(made).metadata.resourceVersion, resourceVersion);
  });
});
