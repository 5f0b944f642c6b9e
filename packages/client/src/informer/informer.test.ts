import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, errors } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { configMap, configMaps, type TestClient, testClient } from '../testing/index.ts';
import { createInformer } from './informer.ts';
import type { Change, Informer, InformerOptions, OwnInformerOptions } from './types.ts';

const place = (name: string) => ({ collection: '/configmaps', namespace: 'default', name });

/** Puts a value into a ConfigMap, which is made when it is missing. */
function put({ api }: Pick<TestClient, 'api'>, name: string, value: string): ApiObject {
  try {
    api.objects.get(place(name));
  } catch {
    return api.objects.create(place(name), configMap(name, value), '2024-01-01T00:00:00Z');
  }
  return api.objects.update(place(name), configMap(name, value));
}

const remove = ({ api }: Pick<TestClient, 'api'>, name: string): ApiObject =>
  api.objects.delete(place(name), {}, '2024-01-01T00:00:00Z');

const textOf = (change: Change): string => {
  const { name } = change.object.metadata;
  const value = (change.object['data'] as { value: string }).value;
  if (change.type === 'added') return `${change.isInitial ? 'initial' : 'added'} ${name}=${value}`;
  if (change.type === 'updated') return `updated ${name}=${value}`;
  return `${change.isStale ? 'stale' : 'deleted'} ${name}=${value}`;
};

interface Running extends TestClient {
  readonly informer: Informer;
  readonly seen: string[];
  /** Runs the informer until it is idle, and returns the notifications since the last call. */
  news(): Promise<string[]>;
}

function running(
  options: Parameters<typeof testClient>[0] = {},
  informerOptions: OwnInformerOptions = {},
  streaming = false,
): Running {
  const test = testClient(options);
  const { client, env } = test;
  const informer = createInformer(
    { client, env, freeze: true, streaming: { enabled: streaming } },
    configMaps,
    informerOptions,
  );
  const seen: string[] = [];
  informer.subscribe((change) => seen.push(textOf(change)));
  let isRunning = false;
  const news = async (): Promise<string[]> => {
    if (!isRunning) void informer.run(test.stop.signal);
    isRunning = true;
    for (let i = 0; i < 5; i++) await settle();
    return seen.splice(0);
  };
  return { ...test, informer, seen, news };
}

describe('informers of resources', () => {
  for (const streaming of [false, true]) {
    it(`an informer has the existing objects and their changes (streaming lists: ${streaming})`, async () => {
      const options = { hasStreamingLists: true };
      const test = running(options, {}, streaming);
      put(test, 'a', '1');
      put(test, 'b', '1');
      assert.equal(test.informer.hasSynced, false);
      assert.deepEqual(await test.news(), ['initial a=1', 'initial b=1']);
      await test.informer.synced(test.stop.signal);
      put(test, 'a', '2');
      put(test, 'c', '1');
      remove(test, 'b');
      assert.deepEqual(await test.news(), ['updated a=2', 'added c=1', 'deleted b=1']);
      assert.deepEqual([...test.informer.store.values()].map((o) => o.metadata.name).sort(), ['a', 'c']);
      assert.equal(test.informer.resourceVersion, '6');
      test.stop.abort();
    });
  }

  it('an informer uses lists after a server has rejected a streaming list', async () => {
    const streaming = { enabled: true };
    const test = testClient();
    put(test, 'a', '1');
    const informer = createInformer({ ...test, streaming }, configMaps);
    void informer.run(test.stop.signal);
    await informer.synced(test.stop.signal);
    assert.deepEqual([informer.store.size, streaming.enabled], [1, false]);
    test.stop.abort();
  });

  it('an informer reads large states in pages', async () => {
    const test = running();
    for (let i = 0; i < 1201; i++) put(test, `n${String(i).padStart(4, '0')}`, '1');
    assert.equal((await test.news()).length, 1201);
    const lists = test.api.requests.filter(({ target }) => !target.includes('watch='));
    assert.deepEqual(
      lists.map(({ target }) => target.replace('/api/v1/configmaps', '')),
      ['?limit=500', '?limit=500&continue=1202%3A500', '?limit=500&continue=1202%3A1000'],
    );
    test.stop.abort();
  });

  it('an informer reads a state by one list when a continue token expires', async () => {
    let compact = (): void => undefined;
    const test = running({
      between: async (request, _, send) => {
        if (request.target.includes('continue=')) compact();
        return await send();
      },
    });
    compact = () => {
      put(test, 'late', '1');
      test.api.objects.compact();
    };
    for (let i = 0; i < 600; i++) put(test, `n${i}`, '1');
    assert.equal((await test.news()).length, 601);
    assert.equal(test.api.requests[2]?.target, '/api/v1/configmaps');
    test.stop.abort();
  });

  it('an informer resumes an interrupted watch without a list', async () => {
    const test = running();
    put(test, 'a', '1');
    await test.news();
    for (const watch of [...test.api.watches]) watch.cut();
    put(test, 'a', '2');
    assert.deepEqual(await test.news(), []);
    await test.env.clock.advanceAsync(500);
    assert.deepEqual(await test.news(), ['updated a=2']);
    assert.equal(test.api.requests.filter(({ target }) => !target.includes('watch=')).length, 1);
    test.stop.abort();
  });

  it('an informer resumes from the last bookmark', async () => {
    const test = running();
    put(test, 'a', '1');
    await test.news();
    test.api.objects.create({ collection: '/secrets', namespace: 'x', name: 's' }, { metadata: {} }, '');
    for (const watch of test.api.watches) watch.bookmark();
    await test.news();
    assert.equal(test.informer.resourceVersion, '3');
    test.api.objects.compact();
    for (const watch of [...test.api.watches]) watch.cut();
    await test.env.clock.advanceAsync(500);
    await test.news();
    assert.match(test.api.requests.at(-1)?.target ?? '', /resourceVersion=3&/);
    test.stop.abort();
  });

  it('an informer delivers missed changes, additions and stale deletions after the expiration of history', async () => {
    const test = running();
    for (const name of ['same', 'changed', 'gone', 'again']) put(test, name, '1');
    await test.news();
    for (const watch of [...test.api.watches]) watch.cut();
    put(test, 'changed', '2');
    put(test, 'new', '1');
    remove(test, 'gone');
    remove(test, 'again');
    put(test, 'again', '2');
    test.api.objects.compact();
    await test.env.clock.advanceAsync(2000);
    assert.deepEqual((await test.news()).sort(), [
      'added again=2',
      'added new=1',
      'stale again=1',
      'stale gone=1',
      'updated changed=2',
    ]);
    test.stop.abort();
  });

  it('an informer lists again after an expiration error in a watch', async () => {
    const test = running();
    put(test, 'a', '1');
    await test.news();
    for (const watch of [...test.api.watches]) watch.expire();
    put(test, 'b', '1');
    await test.env.clock.advanceAsync(1000);
    assert.deepEqual(await test.news(), ['added b=1']);
    assert.equal(test.api.requests.filter(({ target }) => !target.includes('watch=')).length, 2);
    test.stop.abort();
  });

  it('an informer replaces a watch without events that does not end, and lists again', async () => {
    const test = running();
    put(test, 'a', '1');
    await test.news();
    for (const watch of test.api.watches) watch.stall();
    put(test, 'b', '1');
    await test.env.clock.advanceAsync(600_000 + 30_000 + 1000);
    assert.deepEqual(await test.news(), ['added b=1']);
    test.stop.abort();
  });

  it('an informer ends a watch whose transport ignores its signal', async () => {
    let hang = true;
    const test = running({
      between: async (request, _, send) => {
        if (!request.target.includes('watch=') || !hang) return await send();
        return await new Promise(() => undefined);
      },
    });
    put(test, 'a', '1');
    assert.deepEqual(await test.news(), ['initial a=1']);
    hang = false;
    await test.env.clock.advanceAsync(700_000);
    put(test, 'b', '1');
    assert.deepEqual(await test.news(), ['added b=1']);
    test.stop.abort();
  });

  it('an informer retries failures of every kind with growing delays', async () => {
    const failures = [
      () => errors.internal(undefined),
      () => errors.tooManyRequests('slow down', 0),
      () => errors.forbidden({ group: '', kind: 'configmaps' }, 'no'),
      () => new TypeError('a transport with a defect'),
    ];
    let requests = 0;
    const reported: unknown[] = [];
    const between: NonNullable<Parameters<typeof testClient>[0]>['between'] = async (_, __, send) => {
      const failure = failures[requests++ % failures.length];
      if (requests <= 40 && failure !== undefined) throw failure();
      return await send();
    };
    const test = running({ between }, { onListFailed: (error) => reported.push(error) });
    put(test, 'a', '1');
    assert.deepEqual(await test.news(), []);
    await test.env.clock.advanceAsync(10_000);
    assert.ok(requests >= 5 && requests <= 12, `${requests} requests within ten seconds`);
    await test.env.clock.advanceAsync(600_000);
    assert.deepEqual(await test.news(), ['initial a=1']);
    assert.match(
      test.env.metrics.text(),
      /informer_failures_total\{resource="configmaps",step="list",fault="denied"\} 10/,
    );
    assert.equal(reported.length, 40);
    assert.equal(reported.filter((error) => error instanceof TypeError).length, 10);
    test.stop.abort();
  });

  it('an informer delays the next watch when watches end immediately', async () => {
    let requests = 0;
    const test = running({
      between: async (request, _, send) => {
        if (!request.target.includes('watch=')) return await send();
        requests++;
        const response = await send();
        for (const watch of [...test.api.watches]) watch.end();
        return response;
      },
    });
    await test.news();
    await test.env.clock.advanceAsync(60_000);
    assert.ok(requests >= 5 && requests < 40, `${requests} watches`);
    test.stop.abort();
  });

  it('a late subscriber gets the existing objects, and no change twice', async () => {
    const test = running();
    put(test, 'a', '1');
    await test.news();
    const late: string[] = [];
    let inner: string[] | undefined;
    test.informer.subscribe(() => {
      if (inner !== undefined) return;
      inner = [];
      test.informer.subscribe((change) => inner?.push(textOf(change)));
    });
    const end = test.informer.subscribe((change) => late.push(textOf(change)));
    put(test, 'b', '1');
    await test.news();
    end();
    put(test, 'b', '2');
    await test.news();
    assert.deepEqual(late, ['initial a=1', 'added b=1']);
    assert.deepEqual(inner, ['initial a=1', 'added b=1', 'updated b=2']);
    test.stop.abort();
  });

  it('errors of listeners, index functions and transforms are logged, and the informer continues', async () => {
    const fail = (): never => {
      throw new Error('mine');
    };
    const test = running({}, { transform: fail, indexes: { broken: fail } });
    test.informer.subscribe(fail);
    put(test, 'a', '1');
    assert.deepEqual(await test.news(), ['initial a=1']);
    assert.deepEqual(test.informer.store.byIndex('broken', 'x'), []);
    const messages = new Set(test.env.entries.map((entry) => entry['msg']));
    for (const message of [
      'a listener failed',
      'an index function failed',
      'a transform failed, the object is stored unchanged',
    ]) {
      assert.ok(messages.has(message), message);
    }
    test.stop.abort();
  });

  it('an informer keeps what selectors, transform and metadataOnly select, without managed fields', async () => {
    const test = testClient();
    const object = configMap('a', '1');
    Object.assign(object.metadata, { labels: { app: 'x' }, managedFields: [{ manager: 'me' }] });
    test.api.objects.create(place('a'), object, '');
    put(test, 'b', '1');
    const make = (options: InformerOptions): Informer => {
      const informer = createInformer({ ...test, freeze: true }, configMaps, options);
      void informer.run(test.stop.signal);
      return informer;
    };
    const selected = make({ labelSelector: 'app=x' });
    const bare = make({ metadataOnly: true });
    const small = make({
      transform: ({ kind, apiVersion, metadata: { name, uid, resourceVersion, namespace = '' } }) => ({
        ...{ kind, apiVersion },
        metadata: { name, uid, resourceVersion, namespace },
      }),
    });
    await Promise.all([selected, bare, small].map((each) => each.synced(test.stop.signal)));
    assert.deepEqual(
      [...selected.store.values()].map((o) => [o.kind, o.apiVersion, Object.keys(o.metadata)]),
      [['ConfigMap', 'v1', ['name', 'namespace', 'labels', 'uid', 'creationTimestamp', 'resourceVersion']]],
    );
    assert.deepEqual(Object.keys(bare.store.get('default/a') ?? {}).sort(), [
      'apiVersion',
      'kind',
      'metadata',
    ]);
    assert.deepEqual(Object.keys(small.store.get('default/b')?.metadata ?? {}), [
      ...['name', 'uid', 'resourceVersion', 'namespace'],
    ]);
    test.stop.abort();
  });

  it('indexes are up to date, including those that are added later', async () => {
    const value = ({ data }: ApiObject): string[] => [(data as { value: string }).value];
    const test = running({}, { indexes: { value } });
    put(test, 'a', '1');
    put(test, 'b', '1');
    await test.news();
    test.informer.addIndex('value', value);
    test.informer.addIndex('late', value);
    put(test, 'a', '2');
    remove(test, 'b');
    put(test, 'c', '2');
    await test.news();
    for (const index of ['value', 'late']) {
      const under = (v: string): string[] =>
        test.informer.store
          .byIndex(index, v)
          .map((o) => o.metadata.name ?? '')
          .sort();
      assert.deepEqual([under('1'), under('2')], [[], ['a', 'c']]);
      const counts = ['1', '2'].map((v) => test.informer.store.countByIndex(index, v));
      assert.deepEqual(counts, [0, 2]);
    }
    assert.throws(() => test.informer.addIndex('late', () => []), /exists already/);
    assert.throws(() => test.informer.store.byIndex('other', 'x'), /there is no index "other"/);
    test.stop.abort();
  });

  it('an informer ends with its signal and leaves no watch and no timer', async () => {
    const test = testClient();
    const informer = createInformer(test, configMaps);
    const run = informer.run(test.stop.signal);
    await informer.synced(test.stop.signal);
    await settle();
    test.stop.abort();
    await run;
    assert.deepEqual([test.api.watches.size, test.env.clock.pending], [0, 0]);
    await assert.rejects(informer.run(test.stop.signal), /run already/);
  });

  it('waiting for synchronization rejects with its signal', async () => {
    const test = testClient();
    const waiting = createInformer(test, configMaps).synced(test.stop.signal);
    test.stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
  });
});
