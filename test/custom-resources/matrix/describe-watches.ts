import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WatchEvent } from '@orch/testkit';
import { ok, refused, type Tested } from './tested.ts';
import type { Json } from './tested-kinds.ts';

/** Watches in every format, with bookmarks, and streaming lists. */
export function describeWatches(tested: Tested): void {
  describe('watches of objects', () => {
    describeEvents(tested);
    describeTransformed(tested);
    describeBookmarks(tested);
  });
}

const shown = ({ type, object }: WatchEvent): string => `${type} ${object.metadata.name ?? ''}`.trim();

/** The events of a watch until there are `count` of them, while `act` writes. */
async function events(
  tested: Tested,
  query: string,
  { count, act, accept }: { count: number; act?: () => Promise<unknown>; accept?: string },
): Promise<readonly Json[]> {
  const stop = new AbortController();
  const seen: Json[] = [];
  const path = `${tested.collection}?watch=true&${query}`;
  const watching = tested.watch(path, stop.signal, accept);
  const acting = act?.();
  for await (const event of watching) {
    seen.push(event);
    if (seen.length < count) continue;
    stop.abort();
    await acting;
    return seen;
  }
  return assert.fail(`the watch ended after ${JSON.stringify(seen)}`);
}

const labelled = { labels: { set: 'watched' } };
const selected = 'labelSelector=set%3Dwatched';

function describeEvents(tested: Tested): void {
  it('a watch delivers each change after its version, as the object is read', async () => {
    const from = await tested.revision();
    const states: Json[] = [];
    const act = async (): Promise<void> => {
      states.push(await tested.create('w1', labelled));
      states.push(ok(await tested.patch(tested.path('w1'), tested.kind.change('b'))));
      ok(await tested.api.delete(`${tested.path('w1')}?propagationPolicy=Background`));
    };
    const seen = await events(tested, `${selected}&resourceVersion=${from}`, { count: 3, act });
    assert.deepEqual(seen.map(shown), ['ADDED w1', 'MODIFIED w1', 'DELETED w1']);
    assert.deepEqual(
      seen.slice(0, 2).map(({ object }) => object),
      states,
    );
    assert.equal(tested.kind.valueOf(seen[2].object), 'b');
    const again = await events(tested, `${selected}&resourceVersion=${states[0].metadata.resourceVersion}`, {
      count: 2,
    });
    assert.deepEqual(again, seen.slice(1));
  });

  it('a watch of one object by its name, and of objects by labels, reports what enters and leaves', async () => {
    const from = await tested.revision();
    const label = (tier: string) => tested.patch(tested.path('w2'), { metadata: { labels: { tier } } });
    const act = async (): Promise<void> => {
      await tested.create('w2', labelled);
      await tested.create('w3', labelled);
      for (const tier of ['in', 'out', 'in']) ok(await label(tier));
    };
    const query = `labelSelector=tier%3Din&fieldSelector=metadata.name%3Dw2&resourceVersion=${from}`;
    assert.deepEqual((await events(tested, query, { count: 3, act })).map(shown), [
      'ADDED w2',
      'DELETED w2',
      'ADDED w2',
    ]);
    const named = tested.path('w2');
    const older = named.replace(`/${tested.apiVersion}/`, `/${tested.apiVersion}/watch/`);
    for (const path of [`${named}?watch=true&resourceVersion=0`, `${older}?resourceVersion=0`]) {
      const stop = new AbortController();
      for await (const event of tested.watch(path, stop.signal)) {
        assert.equal(shown(event), 'ADDED w2');
        stop.abort();
        break;
      }
    }
  });

  it('contradictory options of watches are refused', async () => {
    for (const query of [
      'resourceVersionMatch=NotOlderThan&resourceVersion=1',
      'sendInitialEvents=true&allowWatchBookmarks=true',
      'sendInitialEvents=true&resourceVersionMatch=Exact&allowWatchBookmarks=true',
    ])
      refused(await tested.api.get(`${tested.collection}?watch=1&${query}`), 422, 'Invalid');
  });
}

function describeTransformed(tested: Tested): void {
  const state = `${selected}&resourceVersion=0`;

  it('a watch of tables delivers one row per event, and the columns with the first', async () => {
    const [plain] = await events(tested, state, { count: 1 });
    const [first, second] = await events(tested, state, { count: 2, accept: tested.as('Table') });
    assert.deepEqual([first.type, first.object.kind, first.object.rows.length], ['ADDED', 'Table', 1]);
    assert.equal(first.object.rows[0].object.metadata.uid, plain.object.metadata.uid);
    assert.equal(first.object.rows[0].cells.length, first.object.columnDefinitions.length);
    assert.ok((second.object.columnDefinitions ?? []).length === 0);
  });

  it('a watch of bare metadata delivers the metadata of each event, also as Protobuf', async () => {
    const [plain] = await events(tested, state, { count: 1 });
    const [partial] = await events(tested, state, { count: 1, accept: tested.as('PartialObjectMetadata') });
    assert.deepEqual(
      [partial.object.kind, partial.object.metadata],
      ['PartialObjectMetadata', plain.object.metadata],
    );
    assert.equal(partial.object.spec, undefined);
    const { protobuf } = tested.names.mediaTypes;
    const path = `${tested.collection}?watch=true&${state}&timeoutSeconds=1`;
    const { bytes, headers, status } = await tested.bytes(path, {
      accept: tested.as('PartialObjectMetadata', protobuf),
    });
    assert.deepEqual([status, headers['content-type']], [200, `${protobuf};stream=watch`]);
    assert.ok(bytes.includes(plain.object.metadata.uid));
  });
}

function describeBookmarks(tested: Tested): void {
  it('a streaming list delivers the state, the bookmark at its end, and then changes', async () => {
    const state = ok(await tested.api.get(`${tested.collection}?${selected}`));
    const query = `${selected}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`;
    const count = state.items.length + 2;
    const act = async (): Promise<void> => void (await tested.create('w9', labelled));
    const waits = new AbortController();
    const seen: Json[] = [];
    let acting: Promise<void> | undefined;
    for await (const event of tested.watch(`${tested.collection}?watch=true&${query}`, waits.signal)) {
      seen.push(event);
      if (event.type === 'BOOKMARK') acting ??= act();
      if (seen.length === count) break;
    }
    waits.abort();
    await acting;
    const mark = seen[state.items.length];
    assert.deepEqual(
      seen.slice(0, -2).map(({ object }) => object.metadata.uid),
      state.items.map(({ metadata }: Json) => metadata.uid),
    );
    assert.deepEqual(
      [mark.type, mark.object.kind, mark.object.apiVersion],
      ['BOOKMARK', tested.kind.kind, tested.apiVersion],
    );
    assert.deepEqual(Object.values(mark.object.metadata.annotations), ['true']);
    assert.ok(Number(mark.object.metadata.resourceVersion) >= Number(state.metadata.resourceVersion));
    assert.equal(shown(seen.at(-1)), 'ADDED w9');
  });

  it('a watch that ends after its timeout sends a bookmark first, where bookmarks are allowed', async () => {
    const seen: Json[] = [];
    const path = `${tested.collection}?watch=true&labelSelector=set%3Dnone&resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=1`;
    for await (const event of tested.watch(path, new AbortController().signal)) seen.push(event);
    assert.deepEqual(
      seen.map(({ type }) => type),
      ['BOOKMARK'],
    );
    assert.deepEqual([seen[0].object.kind, seen[0].object.apiVersion], [tested.kind.kind, tested.apiVersion]);
  });
}
