import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { seededRandom, until } from '@orch/machinery/testing';
import { type Answered, configMap, deployment } from '@orch/registry/testing';
import type { ApiFixture } from '@orch/server/testing';
import { historyPrefixOf, prefixRange } from '@orch/storage';
import { changesOf, withHistory } from './testing/history-fixture.ts';

const GROUP = 'stable.example.com';
const STEPS = 250;
const names = ['a', 'b', 'c'] as const;
const SEED = 20_261;

const definitions = `/apis/${namesFor('orch').apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;

/** A kind of which random objects are written. */
interface Written {
  readonly path: string;
  /** The prefix of its keys in the store, below the prefix of the server. */
  readonly stored: string;
  readonly body: (name: string, x: number) => object;
  /** A merge patch of the object, and of its status. */
  readonly change: (x: number) => object;
  readonly hasStatus: boolean;
}

const kinds: readonly Written[] = [
  {
    path: '/api/v1/namespaces/default/configmaps',
    stored: 'configmaps',
    body: (name, x) => ({ ...configMap(name, { x: String(x) }), apiVersion: 'v1', kind: 'ConfigMap' }),
    change: (x) => ({ data: { x: String(x) } }),
    hasStatus: false,
  },
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    stored: 'deployments.apps',
    body: (name, x) => deployment(name, { replicas: x }),
    change: (x) => ({ spec: { replicas: x } }),
    hasStatus: true,
  },
  {
    path: `/apis/${GROUP}/v1/namespaces/default/things`,
    stored: 'things.stable.example.com',
    body: (name, x) => ({
      apiVersion: `${GROUP}/v1`,
      kind: 'Thing',
      metadata: { name, finalizers: x % 3 === 0 ? ['example.com/f'] : [] },
      spec: { x },
    }),
    change: (x) => ({ spec: { x }, ...(x % 2 === 0 ? { metadata: { finalizers: [] } } : {}) }),
    hasStatus: true,
  },
];

async function defineThings(api: ApiFixture): Promise<void> {
  const spec = { type: 'object', properties: { x: { type: 'integer' } } };
  const status = { type: 'object', properties: { observedGeneration: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
  const created = await api.post(definitions, {
    metadata: { name: `things.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  assert.equal(created.status, 201, created.text);
  await until(
    async () => (await api.get(`/apis/${GROUP}/v1/namespaces/default/things`)).status === 200,
    'the custom resource is served',
  );
}

class RandomWriter {
  readonly #api: ApiFixture;
  readonly #random: () => number;
  /** The bodies of objects as clients have read them, by path and revision. */
  readonly seen = new Map<string, string>();
  #x = 0;

  constructor(api: ApiFixture, random: () => number) {
    this.#api = api;
    this.#random = random;
  }

  async step(): Promise<void> {
    const kind = this.#pick(kinds);
    const path = `${kind.path}/${this.#pick(names)}`;
    this.#x += 1;
    const answer = await this.#write(kind, path, this.#x);
    if (answer === undefined) return;
    assert.ok(answer.status < 300 || [404, 409, 422].includes(answer.status), answer.text);
    for (const name of names) {
      const { status, text, json } = await this.#api.get(`${kind.path}/${name}`);
      if (status === 200) this.seen.set(`${kind.path}/${name} ${json.metadata.resourceVersion}`, text);
    }
  }

  /** Undefined when there is nothing to write. */
  async #write(kind: Written, path: string, x: number): Promise<Answered | undefined> {
    const api = this.#api;
    const body = kind.body(path.slice(path.lastIndexOf('/') + 1), x);
    switch (Math.floor(this.#random() * 8)) {
      case 0:
      case 1:
        return api.post(kind.path, body);
      case 2:
        return api.patch(path, kind.change(x));
      case 3: {
        const contentType = 'application/apply-patch+yaml';
        return api.send('PATCH', `${path}?fieldManager=m${x % 3}&force=true`, { body, contentType });
      }
      case 4: {
        const { json, status } = await api.get(path);
        const change: { metadata?: object } = kind.change(x);
        const metadata = change.metadata && { name: json.metadata.name, ...change.metadata };
        return status === 200
          ? api.put(path, { ...json, ...change, ...(metadata && { metadata }) })
          : undefined;
      }
      case 5:
        return kind.hasStatus
          ? api.patch(`${path}/status`, { status: { observedGeneration: x } })
          : undefined;
      case 6:
        return api.delete(path);
      default:
        return x % 5 === 0 ? api.delete(kind.path) : undefined;
    }
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] ?? assert.fail();
  }
}

/** Reports whether the store had the object, at each of its revisions. */
async function storedRevisions(api: ApiFixture): Promise<ReadonlyMap<string, ReadonlyMap<number, boolean>>> {
  const stop = new AbortController();
  const last = await api.model.currentRevision(stop.signal);
  const found = new Map<string, Map<number, boolean>>();
  for await (const { rev, events } of api.model.watch(prefixRange('/registry/'), 1, stop.signal)) {
    for (const event of events) {
      const key = event.type === 'put' ? event.kv.key : event.key;
      const revisions = found.get(key) ?? new Map<number, boolean>();
      const revision = event.type === 'put' ? event.kv.modRevision : event.modRevision;
      found.set(key, revisions.set(revision, event.type === 'put'));
    }
    if (rev >= last) break;
  }
  return found;
}

/** `key revision` of all writes of objects whose history is kept, those of the server itself included. */
const writesOf = (stored: ReadonlyMap<string, ReadonlyMap<number, boolean>>): readonly string[] =>
  [...stored]
    .filter(([key]) => !/^\/registry\/(~|leases\.|secrets\/|events)/.test(key))
    .flatMap(([key, revisions]) => [...revisions.keys()].map((revision) => `${key} ${revision}`))
    .sort();

async function recordedRevisions(api: ApiFixture): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const prefix = historyPrefixOf('/registry/');
  const { items } = await api.model.list(prefixRange(prefix), {}, signal);
  const objectOf = (key: string): string => key.slice(prefix.length, key.lastIndexOf('/'));
  return items.map(({ key, createRevision }) => `/registry/${objectOf(key)} ${createRevision}`).sort();
}

describe('the history of random writes', () => {
  it(`the history of random writes has exactly one change for each revision of each object, and returns each state (seed ${SEED})`, async () => {
    await using api = await withHistory();
    await defineThings(api);
    const random = seededRandom(SEED);
    const writer = new RandomWriter(api, () => random.int(1_000_000) / 1_000_000);
    for (let step = 0; step < STEPS; step++) {
      api.env.clock.advance(10);
      await writer.step();
    }
    const stored = await storedRevisions(api);
    let states = 0;
    for (const kind of kinds) {
      for (const name of names) {
        const path = `${kind.path}/${name}`;
        const revisions = stored.get(`/registry/${kind.stored}/default/${name}`) ?? assert.fail(path);
        const changes = await changesOf(api, path, 'limit=500');
        assert.deepEqual(
          changes.map(({ revision }) => Number(revision)).reverse(),
          [...revisions.keys()],
          path,
        );
        for (const [revision, isPresent] of revisions) {
          const past = await api.get(`/history${path}?at=${revision}`);
          assert.equal(past.status, isPresent ? 200 : 404, `${path} at ${revision}`);
          const seen = writer.seen.get(`${path} ${revision}`);
          if (seen === undefined) continue;
          assert.equal(past.text, seen, `${path} at ${revision}`);
          states++;
        }
      }
    }
    assert.ok(states > STEPS / 3, `${states} states`);
    assert.deepEqual(await recordedRevisions(api), writesOf(stored));
  });
});
