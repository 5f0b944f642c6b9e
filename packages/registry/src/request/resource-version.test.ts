import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ForwardingStore, type Revision, type Store } from '@orch/storage';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const cms = '/api/v1/namespaces/default/configmaps';

/** Counts the reads of a store, and can delay its answers. */
class WatchedStore extends ForwardingStore {
  revisionReads = 0;
  lists = 0;

  override list(...parameters: Parameters<Store['list']>): ReturnType<Store['list']> {
    this.lists++;
    return super.list(...parameters);
  }

  override currentRevision(signal: AbortSignal): Promise<Revision> {
    this.revisionReads++;
    return super.currentRevision(signal);
  }
}

interface Seeded {
  readonly api: RegistryFixture;
  readonly store: WatchedStore;
  /** Revisions of a first and of a later state. */
  readonly early: string;
  readonly late: string;
}

/** Two states: `early` with a, b, c and `late` with a, b, c, d. */
async function seeded(): Promise<Seeded> {
  const held: { store?: WatchedStore } = {};
  const api = await RegistryFixture.open({
    wrap(inner) {
      held.store = new WatchedStore(inner);
      return held.store;
    },
  });
  for (const name of ['a', 'b', 'c']) await api.post(cms, configMap(name));
  const early = (await api.get(cms)).json.metadata.resourceVersion;
  const late = (await api.post(cms, configMap('d'))).json.metadata.resourceVersion;
  await api.settled();
  assert.ok(held.store !== undefined);
  held.store.revisionReads = 0;
  held.store.lists = 0;
  return { api, store: held.store, early, late };
}

const names = (body: { items: { metadata: { name: string } }[] }): string =>
  body.items.map((item) => item.metadata.name).join('');

describe('get by resourceVersion (spec 4.4)', () => {
  for (const [title, query, consistent] of [
    ['unset is the most recent state', '', true],
    ['0 is any state, without asking the store', '?resourceVersion=0', false],
    ['a version is that state or a later one, from the cache', '?resourceVersion=EARLY', false],
  ] as const) {
    it(`get by resourceVersion: ${title}`, async () => {
      const { api, store, early, late } = await seeded();
      await using _ = api;
      const { status, json } = await api.get(`${cms}/d${query.replace('EARLY', early)}`);
      assert.deepEqual([status, json.metadata.resourceVersion], [200, late]);
      assert.equal(store.revisionReads, consistent ? 1 : 0);
    });
  }

  it('a get with a version ahead of the store waits, then fails with 504', async () => {
    const { api } = await seeded();
    await using _ = api;
    const asked = api.get(`${cms}/a?resourceVersion=100000`);
    await api.env.clock.advanceAsync(4000);
    const { status, json } = await asked;
    assert.deepEqual([status, json.reason], [504, 'Timeout']);
  });

  it('HEAD gets the headers of GET', async () => {
    const { api } = await seeded();
    await using _ = api;
    assert.equal((await api.send('HEAD', `${cms}/a`)).status, 200);
    assert.equal((await api.send('HEAD', cms)).status, 200);
    assert.equal((await api.send('HEAD', `${cms}/none`)).status, 404);
  });
});

describe('list by resourceVersionMatch, paging and resourceVersion (spec 4.4)', () => {
  const recent = { items: 'abcd', version: 'LATE', consistent: true } as const;
  const any = { items: 'abcd', version: 'LATE', consistent: false } as const;
  const exactly = { items: 'abc', version: 'EARLY', consistent: false } as const;
  const first = (page: object): object => ({ ...page, items: 'ab' });
  const cells: readonly (readonly [query: string, expected: object | number])[] = [
    ['', recent],
    ['resourceVersion=0', any],
    ['resourceVersion=EARLY', any],
    ['limit=2', first(recent)],
    ['limit=2&resourceVersion=0', first(any)],
    ['limit=2&resourceVersion=EARLY', first(exactly)],
    ['resourceVersionMatch=Exact', 422],
    ['resourceVersionMatch=Exact&resourceVersion=0', 422],
    ['resourceVersionMatch=Exact&resourceVersion=EARLY', exactly],
    ['resourceVersionMatch=Exact&limit=2', 422],
    ['resourceVersionMatch=Exact&limit=2&resourceVersion=0', 422],
    ['resourceVersionMatch=Exact&limit=2&resourceVersion=EARLY', first(exactly)],
    ['resourceVersionMatch=NotOlderThan', 422],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=0', any],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=EARLY', any],
    ['resourceVersionMatch=NotOlderThan&limit=2', 422],
    ['resourceVersionMatch=NotOlderThan&limit=2&resourceVersion=0', first(any)],
    ['resourceVersionMatch=NotOlderThan&limit=2&resourceVersion=EARLY', first(any)],
  ];
  for (const [query, expected] of cells) {
    it(`list with ${query === '' ? 'nothing set' : query}: ${typeof expected === 'number' ? expected : Object.values(expected).join(', ')}`, async () => {
      const { api, store, early, late } = await seeded();
      await using _ = api;
      const { status, json } = await api.get(`${cms}?${query.replace('EARLY', early)}`);
      if (typeof expected === 'number') {
        assert.equal(status, expected);
        return;
      }
      assert.equal(status, 200);
      const version =
        json.metadata.resourceVersion === early
          ? 'EARLY'
          : json.metadata.resourceVersion === late
            ? 'LATE'
            : '?';
      assert.deepEqual({ items: names(json), version, consistent: store.revisionReads > 0 }, expected);
    });
  }

  const continued: readonly (readonly [query: string, expected: number])[] = [
    ['', 200],
    ['&resourceVersion=0', 200],
    ['&resourceVersion=EARLY', 400],
    ['&resourceVersionMatch=Exact&resourceVersion=EARLY', 422],
    ['&resourceVersionMatch=NotOlderThan&resourceVersion=EARLY', 422],
  ];
  for (const [query, expected] of continued) {
    it(`list with limit and continue${query}: ${expected}`, async () => {
      const { api, early } = await seeded();
      await using _ = api;
      const first = await api.get(`${cms}?limit=2`);
      await api.post(cms, configMap('bb'));
      await api.settled();
      const token = first.json.metadata.continue;
      const { status, json } = await api.get(
        `${cms}?limit=2&continue=${token}${query.replace('EARLY', early)}`,
      );
      assert.equal(status, expected);
      if (expected !== 200) return;
      assert.equal(names(json), 'cd');
      assert.equal(json.metadata.resourceVersion, first.json.metadata.resourceVersion);
      assert.equal(json.metadata.continue, undefined);
    });
  }

  it('a list at a compacted exact version fails with 410 Expired', async () => {
    const { api, early } = await seeded();
    await using _ = api;
    await api.env.clock.advanceAsync(600_000);
    await api.model.compact(Number.parseInt(await currentRevision(api), 10), new AbortController().signal);
    const { status, json } = await api.get(`${cms}?resourceVersionMatch=Exact&resourceVersion=${early}`);
    assert.deepEqual([status, json.reason, json.code], [410, 'Expired', 410]);
  });
});

const currentRevision = async (api: RegistryFixture): Promise<string> =>
  String(await api.model.currentRevision(new AbortController().signal));

describe('watch by resourceVersion (spec 4.4)', () => {
  const shape = (events: { type: string; object: { metadata: { name: string } } }[]): string =>
    events.map(({ type, object }) => `${type[0]}${object.metadata.name ?? ''}`).join(' ');

  for (const [title, query, initial, consistent] of [
    ['unset: state and start at most recent', '', 'Aa Ab Ac Ad', true],
    ['0: state and start at any', '&resourceVersion=0', 'Aa Ab Ac Ad', false],
    ['a version: start at exactly that, nothing synthetic', '&resourceVersion=EARLY', 'Ad', false],
  ] as const) {
    it(`watch by resourceVersion: ${title}`, async () => {
      const { api, store, early } = await seeded();
      await using _ = api;
      const watching = await api.watch(`${cms}?watch=1${query.replace('EARLY', early)}`);
      assert.equal(watching.status, 200);
      const count = initial.split(' ').length;
      await watching.until(count);
      assert.equal(shape(watching.events), initial);
      assert.equal(store.revisionReads > 0, consistent);
      await api.delete(`${cms}/a`);
      await watching.until(count + 1);
      assert.equal(shape(watching.events), `${initial} Da`);
      watching.stop();
      await watching.ended;
    });
  }

  describe('a watch or list from an expired version', () => {
    const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
    const partial = 'application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1';
    /** A version whose history is compacted, on a server that does not keep it either. */
    const compacted = async () => {
      const { api, early } = await seeded();
      await api.env.clock.advanceAsync(600_000);
      for (let i = 0; i < 3; i++) await api.patch(`${cms}/a`, { data: { i: String(i) } });
      await api.settled();
      await api.env.clock.advanceAsync(600_000);
      await api.model.compact(Number(await currentRevision(api)), new AbortController().signal);
      return { api, early };
    };

    for (const [title, accept, target] of [
      ['in JSON', undefined, cms],
      ['as tables', table, cms],
      ['as metadata alone', partial, cms],
      ['of one object', undefined, `${cms}/a`],
      ['by the older paths', undefined, '/api/v1/watch/namespaces/default/configmaps'],
    ] as const) {
      it(`a watch from an expired version, ${title}, gets 200 with one ERROR event`, async () => {
        const { api, early } = await compacted();
        await using _ = api;
        const watching = await api.watch(
          `${target}?watch=1&resourceVersion=${early}`,
          accept === undefined ? {} : { accept },
        );
        await watching.ended;
        assert.equal(watching.status, 200);
        assert.equal(watching.events.length, 1);
        const { type, object } = watching.events[0];
        assert.deepEqual(
          [type, object.kind, object.apiVersion, object.status, object.reason, object.code],
          ['ERROR', 'Status', 'v1', 'Failure', 'Expired', 410],
        );
        assert.match(object.message, /too old resource version/);
      });
    }

    it('a Protobuf watch from an expired version gets one framed ERROR event', async () => {
      const { api, early } = await compacted();
      await using _ = api;
      const watching = await api.watch(`${cms}?watch=1&resourceVersion=${early}`, {
        accept: 'application/vnd.orch.protobuf;stream=watch',
      });
      await watching.ended;
      assert.equal(watching.status, 200);
      assert.equal(watching.frames.length, 1);
      const [frame = Buffer.alloc(0)] = watching.frames;
      assert.equal(frame.readUInt32BE(0), frame.length - 4);
      for (const part of ['ERROR', 'Status', 'Expired', 'too old resource version'])
        assert.ok(frame.includes(part), part);
    });

    it('a list at an expired version gets HTTP 410', async () => {
      const { api, early } = await compacted();
      await using _ = api;
      const listed = await api.get(`${cms}?resourceVersionMatch=Exact&resourceVersion=${early}`);
      assert.deepEqual([listed.status, listed.json.reason], [410, 'Expired']);
    });
  });

  it('a watch from a version in the event history does not read the store, and one from an older version does', async () => {
    const { api, store, early, late } = await seeded();
    await using _ = api;
    for (const version of [early, late]) {
      const watching = await api.watch(`${cms}?watch=1&resourceVersion=${version}`);
      await watching.until(version === early ? 1 : 0);
      assert.equal(shape(watching.events), version === early ? 'Ad' : '');
      watching.stop();
    }
    assert.equal(store.lists, 0);
  });

  it('a watch with sendInitialEvents gets the state, then the bookmark of its end', async () => {
    const { api, late } = await seeded();
    await using _ = api;
    const base = `${cms}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`;
    const watching = await api.watch(`${base}&allowWatchBookmarks=true`);
    await watching.until(5);
    assert.equal(shape(watching.events), 'Aa Ab Ac Ad B');
    assert.deepEqual(watching.events[4].object, {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { resourceVersion: late, annotations: { 'orch.io/initial-events-end': 'true' } },
    });
    watching.stop();
    assert.equal((await api.get(base)).status, 422);
    assert.equal(
      (await api.get(`${cms}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true`)).status,
      422,
    );
    assert.equal((await api.get(`${cms}?sendInitialEvents=true`)).status, 422);
    const later = await api.watch(
      `${cms}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0`,
    );
    await api.post(cms, configMap('e'));
    await later.until(1);
    assert.equal(shape(later.events), 'Ae');
    later.stop();
  });
});
