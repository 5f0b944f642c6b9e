import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFINITION_VERSION, DEFINITIONS } from '@orch/custom-resources/testing';
import { anySignal, deferred } from '@orch/machinery/concurrency';
import { until } from '@orch/machinery/testing';
import {
  ForwardingStore,
  type KeyRange,
  type Revision,
  type Store,
  type WatchBatch,
  type Write,
} from '@orch/storage';
import { ApiFixture } from '../testing/index.ts';

const GROUP = 'changes.example.com';
const DEFINITION = `${DEFINITIONS}/lamps.${GROUP}`;
const lamps = `/apis/${GROUP}/v1/namespaces/default/lamps`;

const version = (properties: object): object => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
});

const definition = (properties: object): object => ({
  apiVersion: DEFINITION_VERSION,
  kind: 'CustomResourceDefinition',
  metadata: { name: `lamps.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'lamps', singular: 'lamp', kind: 'Lamp' },
    versions: [version(properties)],
  },
});

const text = { type: 'string' };

/** A store whose watches deliver what was held back in one batch. */
class HeldStore extends ForwardingStore {
  readonly #held: () => Promise<void> | undefined;

  constructor(store: Store, held: () => Promise<void> | undefined) {
    super(store);
    this.#held = held;
  }

  override async *watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    let position = after;
    while (!signal.aborted) {
      using scope = anySignal([signal]);
      for await (const batch of super.watch(range, position, scope.signal)) {
        const release = this.#held();
        if (release === undefined) {
          position = batch.rev;
          yield batch;
          continue;
        }
        await release;
        const { rev } = await this.list(range, { limit: 1 }, signal);
        yield await this.#merged(range, { from: position, to: rev }, signal);
        position = rev;
        break;
      }
      scope.abort(new Error('watched again'));
    }
  }

  async #merged(
    range: KeyRange,
    { from, to }: { from: Revision; to: Revision },
    signal: AbortSignal,
  ): Promise<WatchBatch> {
    const events: WatchBatch['events'][number][] = [];
    using scope = anySignal([signal]);
    for await (const batch of super.watch(range, from, scope.signal)) {
      events.push(...batch.events);
      if (batch.rev >= to) break;
    }
    scope.abort(new Error('complete'));
    return { events, rev: to };
  }
}

/** `before` delays commits. */
async function withLamps(
  properties: object,
  before?: (write: Write) => Promise<void> | undefined,
): Promise<ApiFixture> {
  const api = await ApiFixture.open({
    release: '1.27',
    wrap(store) {
      const commit = store.commit.bind(store);
      store.commit = async (write, signal) => {
        await before?.(write);
        return commit(write, signal);
      };
      return store;
    },
  });
  assert.equal((await api.post(DEFINITIONS, definition(properties))).status, 201);
  await until(async () => (await api.get(lamps)).status === 200);
  return api;
}

/** Changes the schema of `spec`, and waits until it is published. */
async function change(api: ApiFixture, properties: object): Promise<void> {
  const changed = await api.patch(DEFINITION, { spec: { versions: [version(properties)] } });
  assert.equal(changed.status, 200, changed.text);
  const published = async (): Promise<object> => {
    const { json } = await api.get(`/openapi/v3/apis/${GROUP}/v1`);
    return json.components.schemas['com.example.changes.v1.Lamp'].properties.spec.properties;
  };
  await until(async () => Object.keys(await published()).length === Object.keys(properties).length);
}

describe('definitions that change during writes of their objects', () => {
  it('an apply that changed nothing under the old schema is merged by the new schema', async () => {
    await using api = await withLamps({ color: text });
    const config = { apiVersion: `${GROUP}/v1`, kind: 'Lamp', spec: { color: 'red' } };
    const apply = () =>
      api.send('PATCH', `${lamps}/a?fieldManager=m`, {
        body: JSON.stringify({ ...config, metadata: { name: 'a' } }),
        contentType: 'application/apply-patch+yaml',
      });
    for (const status of [201, 200, 200]) assert.equal((await apply()).status, status);
    await change(api, { color: text, size: { type: 'string', default: 'large' } });
    const { json } = await apply();
    assert.deepEqual(json.spec, { color: 'red', size: 'large' });
  });

  it('an object whose write began before the schema changed is read by the new schema', async () => {
    const held = deferred<void>();
    await using api = await withLamps({ color: text }, (write) =>
      write.key.endsWith('/late') ? held.promise : undefined,
    );
    const body = { apiVersion: `${GROUP}/v1`, kind: 'Lamp', metadata: { name: 'late' } };
    const writing = api.post(lamps, { ...body, spec: { color: 'red' } });
    await change(api, { color: text, size: { type: 'string', default: 'large' } });
    held.resolve();
    assert.equal((await writing).status, 201);
    assert.deepEqual((await api.get(`${lamps}/late`)).json.spec, { color: 'red', size: 'large' });
  });

  it('requests that are served while the definition changes are answered as before and after the change', async () => {
    const properties: Record<string, object> = { color: text };
    await using api = await withLamps(properties);
    const lamp = (name: string) => ({
      apiVersion: `${GROUP}/v1`,
      kind: 'Lamp',
      metadata: { name },
      spec: { color: 'red' },
    });
    await api.post(lamps, lamp('a'));
    for (let round = 0; round < 10; round++) {
      properties[`p${round}`] = text;
      const changing = change(api, properties);
      for (let turn = 0; turn < 20; turn++) {
        const answers = await Promise.all([
          api.get(`${lamps}/a`),
          api.get(lamps),
          api.get(`${lamps}?limit=1&resourceVersion=0`),
          api.patch(`${lamps}/a`, { spec: { color: `${round}-${turn}` } }),
          api.post(lamps, lamp(`n${round}-${turn}`)),
          api.delete(`${lamps}/n${round}-${turn - 1}`),
        ]);
        const [get, list, page, patch, post, remove] = answers.map(({ status }) => status);
        assert.deepEqual([get, list, page, patch, post], [200, 200, 200, 200, 201]);
        assert.ok(remove === 200 || turn === 0, answers[5]?.text);
      }
      await changing;
    }
  });

  it('a replica that receives a definition together with objects in its new storage version delivers them whole', async () => {
    await using first = await withLamps({ color: text });
    const held: { release: Promise<void> | undefined } = { release: undefined };
    await using second = await ApiFixture.open({
      store: first.model,
      env: first.env,
      wrap: (store) => new HeldStore(store, () => held.release),
    });
    await until(async () => (await second.get(lamps)).status === 200);
    const { resourceVersion } = (await first.get(lamps)).json.metadata;
    const watch = await second.watch(`${lamps}?watch=true&resourceVersion=${resourceVersion}`);
    const gate = deferred<void>();
    held.release = gate.promise;
    const versions = [
      { ...version({ color: text }), storage: false },
      { ...version({ color: text }), name: 'v2' },
    ];
    assert.equal((await first.patch(DEFINITION, { spec: { versions } })).status, 200);
    const v2 = lamps.replace('/v1/', '/v2/');
    await until(async () => (await first.get(v2)).status === 200);
    const body = {
      apiVersion: `${GROUP}/v2`,
      kind: 'Lamp',
      metadata: { name: 'whole' },
      spec: { color: 'red' },
    };
    assert.equal((await first.post(v2, body)).status, 201);
    gate.resolve();
    await watch.ended;
    for (const { object } of watch.events) assert.deepEqual(object.spec, { color: 'red' });
    const resumed = await second.watch(`${lamps}?watch=true&resourceVersion=${resourceVersion}`);
    await resumed.until(1);
    assert.deepEqual([resumed.events[0].type, resumed.events[0].object.spec], ['ADDED', { color: 'red' }]);
    resumed.stop();
  });
});
