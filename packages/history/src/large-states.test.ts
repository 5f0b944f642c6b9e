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

const whyField = async (api: ApiFixture, field: string): Promise<string> => {
  const query = `resource=configmaps&namespace=default&name=large&field=${field}`;
  return textsOf(await api.get(`/why/object?${query}`));
};

const writeOf = async (api: ApiFixture, field: string): Promise<boolean> =>
  /^Write: .*resourceVersion/m.test(await whyField(api, field));

/** The answer, and how often other work had its turn meanwhile. */
async function turnsOf(api: ApiFixture, path: string) {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const answer = await api.get(path);
  isDone = true;
  return { answer, turns };
}

describe('the history of large objects', () => {
  it('the history of large objects is served in pages that end early, which have all changes with their fields together', async () => {
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

  it('the history of large objects has pages of full length for small objects, for which each recorded state is read once', async () => {
    let store: CountingStore | undefined;
    const wrap = (inner: ApiFixture['store']) => (store = new CountingStore(inner));
    await using api = await withHistory({ wrap });
    await api.post(maps, configMap('small', { count: '0' }));
    for (let i = 1; i < 120; i++) await api.patch(`${maps}/small`, { data: { count: String(i) } });
    assert.equal((await changesOf(api, `${maps}/small`, 'limit=500')).length, 120);
    assert.equal(store?.reads, 120);
  });

  it('the history names the write of a field only among the states that one question may read', async () => {
    await using api = await withHistory();
    await written(api, 8);
    assert.equal(await writeOf(api, '.data.early'), true);
    for (let i = 0; i < 20; i++) await api.patch(`${maps}/large`, { data: { count: `later ${i}` } });
    assert.equal(await writeOf(api, '.data.early'), false);
    assert.match(await whyField(api, '.data.early'), /^HistoryUnread: .* 16 MiB of states/m);
    assert.equal(await writeOf(api, '.data.count'), true);
    assert.doesNotMatch(await whyField(api, '.data.count'), /HistoryUnread/);
  });

  it('the history of large objects lets other requests have their turn between two changes, and between two parts of a scan', async () => {
    await using api = await withHistory();
    await written(api, 8);
    for (const path of [`${maps}/large?limit=8`, `${maps}?limit=8`]) {
      const {
        answer: { json },
        turns,
      } = await turnsOf(api, `/history${path}`);
      assert.ok(json.changes.length >= 3, `${json.changes.length} changes`);
      assert.ok(turns > json.changes.length, `${turns} turns`);
    }
  });

  const KEYS = 20_000;
  const wide = (value: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`key-${i}`, value]));
  for (const [what, patch, names] of [
    ['data', (value: string) => ({ data: wide(value) }), 'data.key-'],
    ['labels', (value: string) => ({ metadata: { labels: wide(value) } }), 'metadata.labels.key-'],
  ] as const)
    it(`the history names the first changes of 20,000 ${what} and counts the others, in parts between which other requests have their turn`, async () => {
      await using api = await withHistory();
      await api.post(maps, configMap('large', {}));
      for (const value of ['a', 'b'])
        assert.equal((await api.patch(`${maps}/large`, patch(value))).status, 200);
      // From now on every piece of work takes a turn.
      let readings = 0;
      Object.assign(api.env.clock, { monotonic: () => (readings += 10) });
      const { answer, turns } = await turnsOf(api, `/history${maps}/large?limit=1`);
      const [{ fields, moreFields }] = answer.json.changes;
      assert.ok(fields.every((field: string) => field.startsWith(names)));
      assert.equal(fields.length + moreFields, KEYS);
      assert.ok(turns >= KEYS / 2048, `${turns} turns`);
    });

  it('the history of large objects finds the write of one of 20,000 keys, and does not repeat a value of more than 64 KiB', async () => {
    await using api = await withHistory();
    await api.post(maps, configMap('large', wide('a')));
    await api.patch(`${maps}/large`, { data: { 'key-7': 'b' } });
    await api.patch(`${maps}/large`, { data: { 'key-8': 'b' } });
    const listed = await changesOf(api, `${maps}/large`);
    const why = await whyField(api, '.data.key-7');
    assert.match(why, new RegExp(`^Write: .*resourceVersion ${listed[1]?.revision}`, 'm'));
    const all = await api.get('/why/object?resource=configmaps&namespace=default&name=large&field=.data');
    assert.ok(all.text.length < 2000);
    assert.equal(all.json.value, undefined);
    assert.match(textsOf(all), /^ValueLeftOut: .* at most 65536/m);
  });
});
