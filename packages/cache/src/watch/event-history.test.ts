import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exactFields } from '../objects/field-layout.ts';
import { Interner } from '../objects/interner.ts';
import { detachedObject } from '../objects/stored-object.ts';
import { CacheEvent } from './cache-event.ts';
import { EncodedEventBudget } from './encoded-event-budget.ts';
import { EventHistory, type HistoricStates, HistoryBudget } from './event-history.ts';

const labels = new Interner().labels({}, undefined);
const encodedEvents = new EncodedEventBudget(1000);

function event(rev: number, size: number, at = 0): CacheEvent {
  const head = { key: `ns/${rev}`, rev, labels, fields: exactFields([]), corrupt: false, revisionOffset: -1 };
  return new CacheEvent(
    rev,
    { before: detachedObject(head, Buffer.alloc(size)), after: undefined },
    { at, encodedEvents },
  );
}

const ignored: HistoricStates = { release: () => undefined, compress: () => undefined };

const revisions = (events: readonly CacheEvent[]): number[] => events.map((e) => e.rev);

describe('EventHistory of a resource', () => {
  it('after returns the events after a revision and never splits the events of one revision', () => {
    const history = new EventHistory(ignored);
    history.reset(3);
    for (const rev of [4, 5, 5, 5, 6, 9]) history.push(event(rev, 10));
    assert.deepEqual(revisions(history.after(3)), [4, 5, 5, 5, 6, 9]);
    assert.deepEqual(revisions(history.after(4, 2)), [5, 5, 5]);
    assert.deepEqual(revisions(history.after(7)), [9]);
    assert.equal(history.countAfter(5), 2);
    const back: number[] = [];
    history.backwards(4, 6, (e) => back.push(e.rev));
    assert.deepEqual(back, [6, 5, 5, 5]);
  });

  it('old events are evicted by whole revisions, and oldestRevision is updated', () => {
    const released: number[] = [];
    const history = new EventHistory({ ...ignored, release: (e) => released.push(e.rev) });
    for (const [rev, at] of [
      [4, 100],
      [5, 200],
      [5, 300],
      [6, 400],
    ] as const) {
      history.push(event(rev, 10, at));
    }
    history.expire(250);
    assert.deepEqual([history.oldestRevision, history.length, released], [5, 1, [4, 5, 5]]);
    history.reset(20);
    assert.deepEqual(
      [history.oldestRevision, history.length, history.weight, released],
      [20, 0, 0, [4, 5, 5, 6]],
    );
  });
});

describe('HistoryBudget of all histories', () => {
  it('events are evicted from the heaviest history, and other histories keep theirs', () => {
    const budget = new HistoryBudget(100_000);
    const quiet = new EventHistory(ignored);
    const busy = new EventHistory(ignored);
    budget.add(quiet);
    budget.add(busy);
    for (let rev = 1; rev <= 20; rev++) budget.push(quiet, event(rev, 100));
    for (let rev = 21; rev <= 5000; rev++) {
      budget.push(busy, event(rev, 1000));
      assert.ok(budget.weight <= 100_000);
      assert.equal(budget.weight, quiet.weight + busy.weight);
    }
    assert.equal(quiet.length, 20);
    assert.ok(busy.length > 50);
    assert.equal(busy.after(busy.oldestRevision)[0]?.rev, busy.oldestRevision + 1);
    budget.remove(busy);
    assert.equal(budget.weight, quiet.weight);
  });

  it('a single event that exceeds the limit is evicted immediately', () => {
    const budget = new HistoryBudget(500);
    const history = new EventHistory(ignored);
    budget.add(history);
    budget.push(history, event(7, 10_000));
    assert.deepEqual([history.length, history.oldestRevision, budget.weight], [0, 7, 0]);
  });
});

describe('EncodedEventBudget of all events', () => {
  it('an event is encoded once, and again only after its encoding was dropped', () => {
    const budget = new EncodedEventBudget(100);
    let encoded = 0;
    const encoder = {
      id: 'e',
      encode: () => {
        encoded++;
        return Buffer.alloc(40);
      },
    };
    const everything = {
      fieldEquals: [],
      everything: true,
      matchesLabels: () => true,
      matchesFields: () => true,
    };
    const items = [1, 2, 3].map((rev) => {
      const head = {
        key: `ns/${rev}`,
        rev,
        labels,
        fields: exactFields([]),
        corrupt: false,
        revisionOffset: -1,
      };
      const states = { before: undefined, after: detachedObject(head, Buffer.alloc(5)) };
      return new CacheEvent(rev, states, { at: rev, encodedEvents: budget }).itemFor(everything);
    });
    for (const item of items) assert.equal(item?.encoded(encoder), item?.encoded(encoder));
    assert.equal(encoded, 3);
    assert.equal(budget.bytes, 80);
    items[0]?.encoded(encoder);
    assert.equal(encoded, 4);
    budget.expire(3);
    items[2]?.encoded(encoder);
    assert.equal(encoded, 4);
  });
});
