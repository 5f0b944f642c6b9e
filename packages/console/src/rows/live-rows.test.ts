import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Table, type TableEvent, TransportError } from '@orch/client';
import { errors } from '@orch/machinery';
import { settle, testEnv } from '@orch/machinery/testing';
import { LiveRows } from './live-rows.ts';

const columns = [{ name: 'Name', type: 'string', format: 'name', priority: 0 }];

const tableOf = (names: readonly string[], more = ''): Table => ({
  columns,
  rows: names.map((name) => ({
    cells: [name],
    object: { metadata: { name, resourceVersion: '5' } } as never,
  })),
  resourceVersion: '5',
  continue: more,
});

const event = (type: TableEvent['type'], name: string): TableEvent => ({ type, table: tableOf([name]) });

/** What a list or a watch yields; an error ends it. A watch that ends without one stays open. */
type Script = readonly (Table | TableEvent | Error)[];

/** Rows that follow scripted answers, one script for each list and watch in turn. */
function following(...scripts: readonly Script[]) {
  const env = testEnv();
  const left = new AbortController();
  let turn = 0;
  async function* play<T>(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    const script = scripts[turn++] ?? [];
    for (const step of script) {
      if (step instanceof Error) throw step;
      yield step as T;
    }
    if (script.some((step) => step instanceof Error || 'continue' in step)) return;
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }
  const seen: string[] = [];
  const names = (): string => live.rows.visible.map(({ name }) => name).join(' ');
  const live = new LiveRows({
    source: (onOpen) => ({
      pages: play<Table>,
      async *watch(_options, signal) {
        onOpen();
        yield* play<TableEvent>(signal);
      },
      pageVersion: ({ resourceVersion }) => resourceVersion,
      eventVersion: () => '6',
    }),
    env,
    onChange: () => void seen.push(names()),
  });
  void live.run(left.signal);
  return { live, clock: env.clock, names, seen, [Symbol.dispose]: () => left.abort() };
}

describe('the rows of a live list', () => {
  it('rows are those of all pages, changed by the events of the watch', async () => {
    using list = following(
      [tableOf(['a', 'b'], 'more'), tableOf(['c'])],
      [event('ADDED', 'd'), event('DELETED', 'a'), event('BOOKMARK', 'x')],
    );
    await settle();
    assert.deepEqual([list.names(), list.live.freshness.phase], ['b c d', 'live']);
  });

  it('rows stay, marked as stale, while the connection is lost, and are live again afterwards', async () => {
    const lost = new TransportError('noEffect', 'there is no connection');
    using list = following([tableOf(['a'])], [lost], []);
    await settle();
    const { freshness } = list.live;
    assert.deepEqual([list.names(), freshness.phase], ['a', 'stale']);
    assert.equal('problem' in freshness && freshness.problem, lost);
    await list.clock.advanceAsync(60_000);
    assert.deepEqual([list.names(), list.live.freshness.phase], ['a', 'live']);
  });

  it('rows that a new list lacks after a 410 disappear when it is complete, not before', async () => {
    using list = following(
      [tableOf(['a', 'b'])],
      [errors.expired('too old')],
      [tableOf(['b'], 'more'), new TransportError('noEffect', 'lost within the list')],
      [tableOf(['c'])],
    );
    await list.clock.advanceAsync(60_000);
    assert.deepEqual([...new Set(list.seen)], ['a b', 'c']);
    assert.equal(list.live.freshness.phase, 'live');
  });

  it('memory is bounded: of more objects, a list keeps the first 100,000 and says that there are more', async () => {
    const names = Array.from({ length: 100_002 }, (_, place) => String(place));
    using list = following(
      [tableOf(names.slice(0, 60_000), 'more'), tableOf(names.slice(60_000))],
      [event('ADDED', 'later'), event('MODIFIED', '1')],
    );
    await settle();
    const { rows, isTruncated, freshness } = list.live;
    assert.deepEqual([rows.size, isTruncated, freshness.phase], [100_000, true, 'live']);
    assert.ok(!rows.visible.some(({ name }) => name === '100001' || name === 'later'));
  });

  it('a refusal for the time being is tried again, a permanent one is the end', async () => {
    using list = following(
      [errors.tooManyRequests('later')],
      [errors.forbidden({ group: '', kind: 'pods', name: '' }, 'no')],
    );
    await settle();
    assert.equal(list.live.freshness.phase, 'stale');
    await list.clock.advanceAsync(60_000);
    assert.equal(list.live.freshness.phase, 'failed');
  });
});
