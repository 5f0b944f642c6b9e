import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { type Deferred, deferred } from '@orch/machinery/concurrency';
import { until } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { ForwardingStore, prefixRange, type Store, type WatchBatch, type Write } from '@orch/storage';
import { conditionsOf } from '../testing/crontabs.ts';
import { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const GROUP = 'sv.io';
const never = new AbortController().signal;
const schema = {
  openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
const version = (name: string, storage: boolean, served = true): object => ({
  name,
  served,
  storage,
  schema,
});
const things = (at: string, name = ''): string =>
  `/apis/${GROUP}/${at}/namespaces/default/things${name === '' ? '' : `/${name}`}`;

const thing = (name: string, metadata: object = {}): object => ({
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'Thing',
  metadata: { name, labels: { stale: 'yes' }, ...metadata },
});

/** A definition whose storage version has moved from `v1alpha1` to `v1`, and two objects that are stored in the former. */
class Moved {
  readonly api: CustomResourcesFixture;
  readonly definition: string;
  readonly annotation: string;

  private constructor(api: CustomResourcesFixture, naming: Naming) {
    this.api = api;
    const names = namesFor(naming);
    this.definition = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions/things.${GROUP}`;
    this.annotation = names.annotations.allowStrandedObjects;
  }

  static async open(naming: Naming, moves = true): Promise<Moved> {
    const moved = new Moved(await CustomResourcesFixture.open({ naming }), naming);
    const { api, definition } = moved;
    const made = await api.post(definition.slice(0, definition.lastIndexOf('/')), {
      metadata: { name: `things.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [version('v1alpha1', true), version('v1', false)],
      },
    });
    assert.equal(made.status, 201, made.text);
    await until(
      async () => conditionsOf(await api.get(definition)).includes('Established=True'),
      'it is established',
    );
    for (const name of ['a', 'b']) {
      const finalizers = ['example.com/hold'];
      const body = {
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'Thing',
        metadata: { name, labels: { l: 'v' }, finalizers },
      };
      const stored = await api.post(things('v1alpha1'), body);
      assert.equal(stored.status, 201, stored.text);
    }
    if (moves) await moved.move();
    return moved;
  }

  async move(): Promise<void> {
    await this.set([version('v1alpha1', false), version('v1', true)]);
  }

  async set(versions: readonly object[], code = 200): Promise<string> {
    return this.answered(await this.api.patch(this.definition, { spec: { versions } }), code);
  }

  async trim(code = 200): Promise<string> {
    const body = { status: { storedVersions: ['v1'] } };
    return this.answered(await this.api.patch(`${this.definition}/status`, body), code);
  }

  async allow(value: string | null): Promise<void> {
    const body = { metadata: { annotations: { [this.annotation]: value } } };
    this.answered(await this.api.patch(this.definition, body), 200);
  }

  private answered(
    { status, text, json }: Awaited<ReturnType<CustomResourcesFixture['get']>>,
    code: number,
  ): string {
    assert.equal(status, code, text);
    return json.message ?? '';
  }
}

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`versions in which objects are stored, with --naming=${naming}`, () => {
    it('a version is not trimmed from storedVersions while objects are stored in it', async () => {
      const moved = await Moved.open(naming);
      await using api = moved.api;
      const message = await moved.trim(422);
      assert.match(
        message,
        /status\.storedVersions: .*"v1alpha1": must not be removed, 2 objects are stored in it/,
      );
      assert.match(message, /StorageVersionMigration of things\.sv\.io/);
      assert.ok(message.includes(moved.annotation), message);
      // A write that changes nothing stores an object in the storage version.
      for (const name of ['a', 'b']) {
        assert.match(await moved.trim(422), name === 'a' ? /2 objects are/ : /1 object is/);
        assert.equal((await api.patch(things('v1', name), {})).status, 200);
      }
      await moved.trim();
      await moved.set([version('v1', true)]);
      await api.settled();
      assert.deepEqual((await api.get(things('v1', 'a'))).json.metadata.labels, { l: 'v' });
    });

    it('a version is not removed from the spec while objects are stored in it, whatever storedVersions says', async () => {
      const moved = await Moved.open(naming);
      await using api = moved.api;
      await moved.allow('true');
      await moved.trim();
      await moved.allow(null);
      assert.match(
        await moved.set([version('v1', true)], 422),
        /spec\.versions: .*2 objects are stored in it/,
      );
      assert.equal((await api.get(things('v1'))).status, 200);
    });

    it('where the removal is forced objects are errors that stay, and are as before when the version comes back', async () => {
      const moved = await Moved.open(naming);
      await using api = moved.api;
      const before = (await api.get(things('v1', 'a'))).json;
      await moved.allow('true');
      await moved.trim();
      await moved.set([version('v1', true)]);
      await api.settled();
      for (const answer of [
        await api.get(things('v1')),
        await api.get(things('v1', 'a')),
        await api.delete(things('v1', 'a')),
        await api.delete(things('v1')),
      ]) {
        assert.equal(answer.status, 500, answer.text);
        assert.match(answer.json.message, /sv\.io\/v1alpha1, a version that Thing does not have/);
      }
      await moved.set([version('v1alpha1', false, false), version('v1', true)]);
      await api.settled();
      assert.deepEqual((await api.get(things('v1', 'a'))).json, before);
      assert.equal((await api.get(things('v1'))).json.items.length, 2);
    });
  });
}

describe('versions that a definition lists as stored', () => {
  it('a stored version that is listed is not removed from the spec, with the number of objects in it', async () => {
    for (const forced of [false, true]) {
      const moved = await Moved.open('orch');
      await using api = moved.api;
      if (forced) await moved.allow('true');
      const only = [version('v1', true)];
      const field = /status\.storedVersions\[0\]: .*"v1alpha1": must appear in spec\.versions/;
      const message = await moved.set(only, 422);
      assert.match(message, field);
      assert.match(message, /2 objects are stored in it: .*StorageVersionMigration of things\.sv\.io/);
      for (const name of ['a', 'b']) assert.equal((await api.patch(things('v1', name), {})).status, 200);
      const empty = await moved.set(only, 422);
      assert.match(empty, field);
      assert.match(empty, /no object is stored in it: remove it from status\.storedVersions first/);
      await moved.trim();
      await moved.set(only);
    }
  });

  for (const [title, write] of [
    ['patch', (api) => api.patch(things('v1alpha1', 'a'), { metadata: { labels: { stale: 'yes' } } })],
    ['update', (api, resourceVersion) => api.put(things('v1alpha1', 'a'), thing('a', { resourceVersion }))],
    ['create', (api) => api.post(things('v1alpha1'), thing('c'))],
  ] as const satisfies readonly (readonly [
    string,
    (api: CustomResourcesFixture, rev: string) => Promise<Answered>,
  ])[]) {
    it(`a server that does not know a new storage version yet stores no object in the former one by a ${title}`, async () => {
      const moved = await Moved.open('orch', false);
      await using api = moved.api;
      const watches = new HeldWatches(api.model);
      await using stale = await CustomResourcesFixture.open({
        store: api.model,
        seed: 2,
        wrap: () => watches,
      });
      using _ = watches;
      await until(async () => (await stale.get(things('v1alpha1', 'a'))).status === 200, 'it is served');
      watches.hold();
      await moved.move();
      for (const name of ['a', 'b']) assert.equal((await api.patch(things('v1', name), {})).status, 200);
      await moved.trim();
      await moved.set([version('v1', true)]);
      const { commits } = watches;
      const { resourceVersion } = (await api.get(things('v1', 'a'))).json.metadata;
      const writing = write(stale, resourceVersion);
      await until(() => watches.commits > commits, 'the stale server has written');
      watches.release();
      const { status, text } = await writing;
      assert.ok(status === 503 || status === 404, text);
      const range = prefixRange(`/registry/things.${GROUP}/`);
      for (const { key, value } of (await api.model.list(range, {}, never)).items)
        assert.match(String(value), /"apiVersion":"sv\.io\/v1"/, key);
      assert.equal((await api.get(things('v1'))).json.items.length, 2);
    });
  }
});

/** A store whose watches deliver nothing between `hold` and `release`. */
class HeldWatches extends ForwardingStore {
  commits = 0;
  #held: Deferred<void> | undefined;

  hold(): void {
    this.#held = deferred<void>();
  }

  release(): void {
    this.#held?.resolve();
  }

  [Symbol.dispose](): void {
    this.release();
  }

  override commit(write: Write, signal: AbortSignal): ReturnType<Store['commit']> {
    this.commits++;
    return super.commit(write, signal);
  }

  override async *watch(...args: Parameters<Store['watch']>): AsyncGenerator<WatchBatch> {
    for await (const batch of super.watch(...args)) {
      await this.#held?.promise;
      yield batch;
    }
  }
}

describe('unreadable objects of a definition', () => {
  it('a version is not removed while objects that cannot be read may be stored in it', async () => {
    const moved = await Moved.open('orch');
    await using api = moved.api;
    for (const name of ['a', 'b']) {
      const key = `/registry/things.${GROUP}/default/${name}`;
      const { kv } = await api.store.get(key, never);
      await api.store.commit(
        { op: 'update', key, value: Buffer.from('{'), expected: kv?.modRevision ?? 0 },
        never,
      );
    }
    assert.match(await moved.trim(422), /2 objects are unreadable and may be stored in it/);
  });
});
