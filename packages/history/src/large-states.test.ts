import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap } from '@orch/registry/testing';
import { type ApiFixture, textsOf } from '@orch/server/testing';
import { ForwardingStore, historyPrefixOf } from '@orch/storage';
import { changesOf, type Listed, withHistory } from './testing/history-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const prefix = historyPrefixOf('/registry/');
/** Size of an object of which few states fit into one page. */
const LARGE = 900_000;

/** Counts the recorded values that are read. */
class CountingStore extends ForwardingStore {
  reads = 0;

  override get(...[key, signal]: Parameters<ForwardingStore['get']>): ReturnType<ForwardingStore['get']> {
    if (key.startsWith(prefix)) this.reads++;
    return super.get(key, signal);
  }
}

async function pagesOf(
  api: ApiFixture,
  path: string,
  query: string,
): Promise<readonly (readonly Listed[])[]> {
  const pages: (readonly Listed[])[] = [];
  let next: string | undefined;
  do {
    const from: string = next === undefined ? '' : `&continue=${next}`;
    const { status, text, json } = await api.get(`/history${path}?${query}${from}`);
    assert.equal(status, 200, text);
    pages.push(json.changes);
    next = json.continue;
  } while (next !== undefined);
  return pages;
}

/** An object whose field `early` was written first, followed by changes of other fields. */
async function written(api: ApiFixture, changes: number): Promise<void> {
  await api.post(maps, configMap('large', { text: 'x'.repeat(LARGE), count: '0' }));
  await api.patch(`${maps}/large`, { data: { early: '1' } });
  for (let i = 1; i <= changes; i++) await api.patch(`${maps}/large`, { data: { count: String(i) } });
}

const writeOf = async (api: ApiFixture, field: string): Promise<boolean> => {
  const query = `resource=configmaps&namespace=default&name=large&field=${field}`;
  return /^Write: .*resourceVersion/m.test(textsOf(await api.get(`/why/object?${query}`)));
};

describe('the history of large objects', () => {
  it('is served in pages that end early, which have all changes with their fields together', async () => {
    await using api = await withHistory();
    await written(api, 30);
    for (const path of [`${maps}/large`, maps]) {
      const pages = await pagesOf(api, path, 'limit=500');
      assert.ok(pages.length >= 4 && pages.every((page) => page.length > 0), `${pages.length} pages`);
      const fields = pages.flat().map((change) => change['fields']);
      const counts = Array.from({ length: 30 }, () => ['data.count']);
      assert.deepEqual(fields, [...counts, ['data.early'], undefined]);
    }
  });

  it('has pages of full length for small objects, for which each recorded state is read once', async () => {
    let store: CountingStore | undefined;
    const wrap = (inner: ApiFixture['store']) => (store = new CountingStore(inner));
    await using api = await withHistory({ wrap });
    await api.post(maps, configMap('small', { count: '0' }));
    for (let i = 1; i < 120; i++) await api.patch(`${maps}/small`, { data: { count: String(i) } });
    assert.equal((await changesOf(api, `${maps}/small`, 'limit=500')).length, 120);
    assert.equal(store?.reads, 120);
  });

  it('names the write of a field only among the states that one question may read', async () => {
    await using api = await withHistory();
    await written(api, 8);
    assert.equal(await writeOf(api, '.data.early'), true);
    for (let i = 0; i < 20; i++) await api.patch(`${maps}/large`, { data: { count: `later ${i}` } });
    assert.equal(await writeOf(api, '.data.early'), false);
    assert.equal(await writeOf(api, '.data.count'), true);
  });

  it('lets other requests have their turn between two changes, and between two parts of a scan', async () => {
    await using api = await withHistory();
    await written(api, 8);
    for (const path of [`${maps}/large?limit=8`, `${maps}?limit=8`]) {
      let turns = 0;
      let isDone = false;
      const count = (): void => {
        turns++;
        if (!isDone) setImmediate(count);
      };
      setImmediate(count);
      const { json } = await api.get(`/history${path}`);
      isDone = true;
      assert.ok(json.changes.length >= 4 && turns > json.changes.length, `${turns} turns`);
    }
  });
});
