import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerLoop } from '@orch/client';
import type { ApiObject, ObjectMeta } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import {
  type DiscoveredApi,
  discoveredApi,
  type ServedResource,
  served,
} from '../namespace/testing/discovered-api.ts';
import { garbageCollectorController } from './controller.ts';

const configMaps = served('configmaps', 'ConfigMap');
const widgets = served('widgets', 'Widget', { group: 'example.com' });
const gadgets = served('gadgets', 'Gadget', { group: 'example.com', verbs: ['get', 'list', 'delete'] });
const NOW = '2024-01-01T00:00:00Z';
const INTERVAL = 30_000;

interface Running extends DiscoveredApi, AsyncDisposable {
  readonly events: string[];
}

async function running(resources: readonly ServedResource[]): Promise<Running> {
  const made = discoveredApi(resources);
  const events: string[] = [];
  const { env, client, stop } = made;
  const note = (about: ApiObject, { reason }: { reason: string }): void =>
    void events.push(`${about.kind} ${about.metadata.name} ${reason}`);
  const { informers } = { informers: { informer: () => assert.fail('not shared'), run: async () => {} } };
  const context = { env, client, informers, events: { record: note } };
  const options = { concurrency: 2, discoveryIntervalMs: INTERVAL };
  const run = controllerLoop(env, garbageCollectorController(context, options)).run(stop.signal);
  return Object.assign(made, {
    events,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await run;
    },
  });
}

function put({ api }: DiscoveredApi, of: ServedResource, name: string, metadata: ObjectMeta = {}): ApiObject {
  const place = { collection: `${of.group}/${of.resource}`, namespace: 'x', name };
  return api.objects.create(place, { metadata }, NOW);
}

const ownedBy = (of: ServedResource, { metadata }: ApiObject): ObjectMeta => ({
  ownerReferences: [
    {
      apiVersion: of.group === '' ? of.version : `${of.group}/${of.version}`,
      kind: of.kind,
      name: metadata.name ?? '',
      uid: metadata.uid ?? '',
    },
  ],
});

function remove({ api }: DiscoveredApi, of: ServedResource, name: string): void {
  api.objects.delete({ collection: `${of.group}/${of.resource}`, namespace: 'x', name }, {}, NOW);
}

const names = ({ api }: DiscoveredApi, of: ServedResource): readonly string[] =>
  api.objects.list(`${of.group}/${of.resource}`).map(({ place }) => place.name);

async function pass({ env }: DiscoveredApi, ms: number): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await settle();
  const stepMs = Math.max(500, ms / 100);
  for (let passed = 0; passed < ms; passed += stepMs) await env.clock.advanceAsync(stepMs);
  for (let turn = 0; turn < 200; turn++) await settle();
}

describe('monitored resources', () => {
  it('objects of a resource that is added later are owners and dependents', async () => {
    await using made = await running([configMaps]);
    await pass(made, 1_000);
    made.resources.add(widgets);
    const owner = put(made, widgets, 'w');
    put(made, configMaps, 'a', ownedBy(widgets, owner));
    const other = put(made, configMaps, 'b');
    put(made, widgets, 'v', ownedBy(configMaps, other));
    await pass(made, INTERVAL * 4);
    assert.deepEqual(
      [names(made, configMaps), names(made, widgets)],
      [
        ['a', 'b'],
        ['v', 'w'],
      ],
    );
    remove(made, widgets, 'w');
    remove(made, configMaps, 'b');
    await pass(made, 2_000);
    assert.deepEqual([names(made, configMaps), names(made, widgets)], [[], []]);
  });

  it('a new resource definition triggers discovery', async () => {
    const definitions = served('customresourcedefinitions', 'CustomResourceDefinition', {
      namespaced: false,
    });
    await using made = await running([configMaps, definitions]);
    await pass(made, 2_000);
    const owner = put(made, configMaps, 'o');
    put(made, widgets, 'w', ownedBy(configMaps, owner));
    made.api.objects.create(
      { collection: '/customresourcedefinitions', namespace: '', name: 'd' },
      { metadata: {} },
      NOW,
    );
    made.resources.add(widgets);
    await pass(made, 5_000);
    remove(made, configMaps, 'o');
    await pass(made, 1_000);
    assert.deepEqual(names(made, widgets), []);
  });

  it('dependents of an owner that was deleted before its resource was monitored are deleted as soon as it is', async () => {
    const definitions = served('customresourcedefinitions', 'CustomResourceDefinition', {
      namespaced: false,
    });
    await using made = await running([configMaps, definitions]);
    await pass(made, 2_000);
    made.resources.add(widgets);
    const owner = put(made, widgets, 'w');
    const kept = put(made, widgets, 'v');
    put(made, configMaps, 'a', ownedBy(widgets, owner));
    put(made, configMaps, 'b', ownedBy(widgets, kept));
    await pass(made, 0);
    assert.deepEqual(names(made, configMaps), ['a', 'b']);
    remove(made, widgets, 'w');
    const place = { collection: '/customresourcedefinitions', namespace: '', name: 'd' };
    made.api.objects.create(place, { metadata: {} }, NOW);
    await pass(made, 5_000);
    assert.deepEqual(names(made, configMaps), ['b']);
  });

  it('the objects of a resource that is not served any more do not count as deleted', async () => {
    await using made = await running([configMaps, widgets]);
    const owner = put(made, widgets, 'w');
    put(made, configMaps, 'a', ownedBy(widgets, owner));
    await pass(made, 2_000);
    made.resources.delete(widgets);
    await pass(made, INTERVAL * 10);
    assert.deepEqual(names(made, configMaps), ['a']);
    made.resources.add(widgets);
    await pass(made, INTERVAL * 4);
    assert.deepEqual(names(made, configMaps), ['a']);
    remove(made, widgets, 'w');
    await pass(made, INTERVAL * 4);
    assert.deepEqual(names(made, configMaps), []);
  });

  it('the resources of a group whose discovery fails are monitored as before', async () => {
    await using made = await running([configMaps, widgets]);
    const owner = put(made, widgets, 'w');
    put(made, configMaps, 'a', ownedBy(widgets, owner));
    await pass(made, 2_000);
    made.failures.set('/apis/example.com/v1', 500);
    await pass(made, INTERVAL * 3);
    assert.deepEqual(names(made, configMaps), ['a']);
    remove(made, widgets, 'w');
    await pass(made, 2_000);
    assert.deepEqual(names(made, configMaps), []);
  });

  it('an owner that cannot be watched is looked up at intervals', async () => {
    await using made = await running([configMaps, gadgets]);
    const owner = put(made, gadgets, 'g');
    put(made, configMaps, 'a', ownedBy(gadgets, owner));
    await pass(made, 10 * 60_000);
    assert.deepEqual(names(made, configMaps), ['a']);
    remove(made, gadgets, 'g');
    await pass(made, 2 * 60_000);
    assert.deepEqual(names(made, configMaps), []);
  });

  it('no owner is released while a resource cannot be read, and objects without owners are deleted', async () => {
    await using made = await running([configMaps, widgets]);
    made.failures.set('/apis/example.com/v1/widgets', 403);
    const owner = put(made, configMaps, 'o', { finalizers: ['orphan'] });
    put(made, configMaps, 'mine', ownedBy(configMaps, owner));
    put(made, widgets, 'w', ownedBy(configMaps, owner));
    const lost = put(made, configMaps, 'lost');
    put(made, configMaps, 'of-lost', ownedBy(configMaps, lost));
    remove(made, configMaps, 'lost');
    remove(made, configMaps, 'o');
    await pass(made, 120_000);
    assert.deepEqual(names(made, configMaps), ['mine', 'o']);
    made.failures.clear();
    await pass(made, 120_000);
    assert.deepEqual(names(made, configMaps), ['mine']);
    for (const { object } of [
      ...made.api.objects.list('/configmaps'),
      ...made.api.objects.list('example.com/widgets'),
    ])
      assert.equal(object.metadata.ownerReferences, undefined, object.metadata.name);
  });

  it('a resource whose lists are refused delays the start by seconds, and its objects stay owners', async () => {
    await using made = await running([configMaps, widgets]);
    made.failures.set('GET /apis/example.com/v1/widgets', 500);
    const kept = put(made, widgets, 'kept');
    put(made, configMaps, 'of-kept', ownedBy(widgets, kept));
    const lost = put(made, configMaps, 'lost');
    put(made, configMaps, 'of-lost', ownedBy(configMaps, lost));
    remove(made, configMaps, 'lost');
    await pass(made, 4_000);
    assert.deepEqual(names(made, configMaps), ['of-kept']);
    remove(made, widgets, 'kept');
    made.failures.clear();
    await pass(made, 12_000);
    assert.deepEqual(names(made, configMaps), []);
  });

  it('a resource whose server does not answer its lists delays the start by half a minute', async () => {
    await using made = await running([configMaps, widgets]);
    made.failures.set('GET /apis/example.com/v1/widgets', 503);
    const lost = put(made, configMaps, 'lost');
    put(made, configMaps, 'of-lost', ownedBy(configMaps, lost));
    remove(made, configMaps, 'lost');
    await pass(made, 20_000);
    assert.deepEqual(names(made, configMaps), ['of-lost']);
    await pass(made, 15_000);
    assert.deepEqual(names(made, configMaps), []);
  });

  it('a cluster-scoped object with a namespaced owner is kept, with one event', async () => {
    const nodes = served('nodes', 'Node', { namespaced: false });
    await using made = await running([configMaps, nodes]);
    const owner = put(made, configMaps, 'o');
    const place = { collection: '/nodes', namespace: '', name: 'n' };
    made.api.objects.create(place, { metadata: ownedBy(configMaps, owner) }, NOW);
    remove(made, configMaps, 'o');
    await pass(made, 10 * 60_000);
    assert.deepEqual(names(made, nodes), ['n']);
    assert.deepEqual(made.events, ['Node n OwnerRefInvalidNamespace']);
  });

  it('the garbage collector sends no requests after its signal has aborted', async () => {
    const made = await running([configMaps]);
    const owner = put(made, configMaps, 'o');
    put(made, configMaps, 'a', ownedBy(configMaps, owner));
    await pass(made, 2_000);
    await made[Symbol.asyncDispose]();
    remove(made, configMaps, 'o');
    const sent = made.api.requests.length;
    await pass(made, 120_000);
    assert.equal(made.api.requests.length, sent);
    assert.deepEqual(names(made, configMaps), ['a']);
  });
});

describe('owners that block each other', () => {
  it('owners that block each other are both deleted', async () => {
    await using made = await running([configMaps]);
    const finalizers = ['foregroundDeletion'];
    const place = (name: string) => ({ collection: '/configmaps', namespace: 'x', name });
    const blocking = (owner: ApiObject): ObjectMeta => ({
      finalizers,
      ownerReferences: (ownedBy(configMaps, owner).ownerReferences ?? []).map((reference) => ({
        ...reference,
        blockOwnerDeletion: true,
      })),
    });
    const a = put(made, configMaps, 'a', { finalizers });
    const b = put(made, configMaps, 'b', blocking(a));
    made.api.objects.update(place('a'), { metadata: blocking(b) });
    remove(made, configMaps, 'a');
    remove(made, configMaps, 'b');
    assert.deepEqual(names(made, configMaps), ['a', 'b']);
    await pass(made, 10_000);
    assert.deepEqual(names(made, configMaps), []);
  });
});
