import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom, settle } from '@orch/machinery/testing';
import { everything, podsResource } from '../testing/fixture.ts';
import type { ObjectFilter } from '../types.ts';
import { noIndexes } from './complete-indexes.ts';
import { exactFields } from './field-layout.ts';
import { Interner } from './interner.ts';
import { LabelIndex } from './label-index.ts';
import { MOST_LABEL_INDEXES } from './label-indexes.ts';
import { ObjectIndexes } from './object-indexes.ts';
import { type Selection, type SelectQuery, select } from './select.ts';
import { detachedObject, type StoredObject } from './stored-object.ts';
import { Tree } from './tree.ts';

const OBJECTS = 3000;
const VALUES = 100;
const INDEX = 'metadata.labels';

type Labels = Readonly<Record<string, string>>;

/** The filter of the selector that requires these labels. */
function labelled(labels: Labels): ObjectFilter {
  const labelEquals = Object.entries(labels).map(([label, value]) => ({ label, value }));
  const matchesLabels: ObjectFilter['matchesLabels'] = (found) =>
    labelEquals.every(({ label, value }) => found[label] === value);
  return { fieldEquals: [], labelEquals, everything: false, matchesLabels, matchesFields: () => true };
}

/** Objects of one resource with their indexes, changed as a resource state changes them. */
class Indexed {
  readonly resource = podsResource();
  tree = Tree.empty<StoredObject>();
  readonly indexes = new ObjectIndexes(this);
  readonly #interner = new Interner();
  #rev = 0;

  set(key: string, labels: Labels): void {
    this.#rev += 1;
    const head = {
      key,
      rev: this.#rev,
      fields: exactFields([key, '', '']),
      corrupt: false,
      revisionOffset: -1,
    };
    const interned = this.#interner.labels(labels, this.tree.get(key)?.labels);
    const object = detachedObject({ ...head, labels: interned }, Buffer.from('{}'));
    this.indexes.replace(this.tree.set(object), object);
  }

  delete(key: string): void {
    const before = this.tree.delete(key);
    if (before !== undefined) this.indexes.replace(before, undefined);
  }

  list(labels: Labels, part: Partial<SelectQuery> = {}, now = 0): Selection {
    const query = { scope: { prefix: '' }, ...part, filter: labelled(labels) };
    const selection = select(this.tree, this.indexes.complete, query);
    this.indexes.listed(query.filter, selection, now);
    return selection;
  }

  /** The same list without indexes. */
  scanned(labels: Labels, part: Partial<SelectQuery> = {}): Selection {
    return select(this.tree, noIndexes, { scope: { prefix: '' }, ...part, filter: labelled(labels) });
  }

  /** Lists as often as an index needs. */
  async makeIndex(labels: Labels, now = 0): Promise<void> {
    for (let list = 0; list < 3; list += 1) this.list(labels, {}, now);
    for (const label of Object.keys(labels)) while (!this.indexes.complete.labels.has(label)) await settle();
  }
}

function indexed(labelsAt: (i: number) => Labels = (i) => ({ app: `app-${i % VALUES}` })): Indexed {
  const state = new Indexed();
  for (let i = 0; i < OBJECTS; i += 1) state.set(`ns-${i % 3}/o-${i}`, labelsAt(i));
  return state;
}

const keysOf = ({ objects }: Selection): readonly string[] => objects.map(({ key }) => key);

/** Time in which an index of all objects is made. */
async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < OBJECTS / 100; turn += 1) await settle();
}

describe('indexes of labels', () => {
  it('an index of a label is made when several lists scan many objects for few', async () => {
    const state = indexed();
    state.list({ app: 'app-7' });
    state.list({ app: 'app-8' });
    await severalTurns();
    const before = state.list({ app: 'app-7' });
    assert.deepEqual([before.index, before.fetched], ['', OBJECTS]);
    await state.makeIndex({ app: 'app-7' });
    const after = state.list({ app: 'app-7' });
    assert.deepEqual([after.index, after.label, after.fetched], [INDEX, 'app', OBJECTS / VALUES]);
    assert.deepEqual(after.objects, before.objects);
    assert.deepEqual(state.list({ app: 'none' }).objects, []);
  });

  it('an index that is made after the objects were loaded again holds the new ones', async () => {
    const state = new Indexed();
    state.tree = indexed().tree;
    await state.makeIndex({ app: 'none' });
    const listed = state.list({ app: 'app-7' });
    assert.deepEqual([listed.index, listed.fetched], [INDEX, OBJECTS / VALUES]);
    assert.deepEqual(keysOf(listed), keysOf(state.scanned({ app: 'app-7' })));
  });

  it('a list by an index reads the objects of its namespace after its continue key only', async () => {
    const state = indexed((i) => ({ app: `app-${i % 10}` }));
    await state.makeIndex({ app: 'none' });
    const part = { scope: { prefix: 'ns-1/' }, after: 'ns-1/o-5', limit: 7 };
    const page = state.list({ app: 'app-7' }, part);
    assert.deepEqual([page.index, page.fetched], [INDEX, 8]);
    assert.deepEqual(
      [keysOf(page), page.next],
      [keysOf(state.scanned({ app: 'app-7' }, part)), page.objects.at(-1)?.key],
    );
  });

  it('a list by two labels reads the objects of the rarer value', async () => {
    const state = indexed((i) => ({ app: `app-${i % 10}`, track: `${i % VALUES}` }));
    await state.makeIndex({ app: 'none', track: 'none' });
    const both = state.list({ app: 'app-7', track: '7' });
    assert.deepEqual(
      [both.label, both.fetched, both.objects.length],
      ['track', OBJECTS / VALUES, OBJECTS / VALUES],
    );
  });

  it('indexes of labels select the same pages as a scan, whatever changes while they are made and afterwards', async () => {
    const random = seededRandom(31);
    const state = indexed();
    const pick = (): Labels => ({
      app: `app-${random.int(VALUES)}`,
      ...(random.int(2) === 0 ? {} : { track: `${random.int(4)}` }),
    });
    for (let list = 0; list < 3; list += 1) state.list({ app: 'none', track: 'none' });
    for (let round = 0; round < 80; round += 1) {
      // Most objects are deleted from round 40 on.
      for (let change = 0; change < 100; change += 1) {
        const i = random.int(OBJECTS + 100);
        if (random.int(4) < (round < 40 ? 1 : 3)) state.delete(`ns-${i % 3}/o-${i}`);
        else state.set(`ns-${i % 3}/o-${i}`, random.int(5) === 0 ? {} : pick());
      }
      const labels = pick();
      const part = {
        scope: { prefix: random.int(2) === 0 ? '' : `ns-${random.int(4)}/` },
        ...(random.int(2) === 0 ? {} : { limit: 1 + random.int(20) }),
        ...(random.int(2) === 0 ? {} : { after: `ns-${random.int(3)}/o-${random.int(OBJECTS)}` }),
      };
      const [page, scanned] = [state.list(labels, part), state.scanned(labels, part)];
      assert.deepEqual(
        [keysOf(page), page.next],
        [keysOf(scanned), scanned.next],
        `round ${round} of seed 31`,
      );
      assert.ok(
        page.objects.every((object, at) => object === scanned.objects[at]),
        `states in round ${round}`,
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(state.list({ app: 'app-7' }).index, INDEX);
    const size = select(state.tree, noIndexes, { scope: { prefix: '' }, filter: everything }).objects.filter(
      ({ labels }) => labels.labels['app'] !== undefined,
    ).length;
    assert.equal(state.indexes.complete.labels.get('app')?.size, size);
  });

  it('indexes of labels are bounded in number, and dropped when no list has used them since a time', async () => {
    const state = indexed();
    for (let label = 0; label < 200; label += 1) {
      for (let list = 0; list < 4; list += 1) state.list({ [`label-${label}`]: 'x' }, {}, 1000);
    }
    await severalTurns();
    assert.equal(state.indexes.complete.labels.size, MOST_LABEL_INDEXES);
    state.list({ 'label-1': 'x' }, {}, 2000);
    state.indexes.expire(2000);
    assert.deepEqual([...state.indexes.complete.labels.keys()], ['label-1']);
    state.indexes.expire(2001);
    assert.equal(state.list({ 'label-1': 'x' }).index, '');
    await state.makeIndex({ app: 'app-7' });
    assert.equal(state.list({ app: 'app-7' }).index, INDEX);
  });

  it('a selector that names a thousand labels makes a few indexes', async () => {
    const state = indexed();
    const labels = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`label-${i}`, 'x']));
    for (let list = 0; list < 10; list += 1) state.list(labels);
    await severalTurns();
    assert.equal(state.indexes.complete.labels.size, MOST_LABEL_INDEXES);
  });

  for (const [values, valueAt] of [
    ['all different', (i: number) => `value-${i}`],
    ['shared by many objects', (i: number) => `value-${i % 50}`],
  ] as const)
    it(`an index of a label whose values are ${values} takes at most 16 bytes for each object`, () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const state = new Indexed();
      const count = 30_000;
      for (let i = 0; i < count; i += 1) state.set(`ns/o-${(i * 7919) % count}`, { app: valueAt(i) });
      const objects = state.tree.collect('', undefined, count);
      const index = new LabelIndex('app');
      collect();
      const before = process.memoryUsage().heapUsed;
      for (const object of objects) index.add(object);
      collect();
      const bytes = (process.memoryUsage().heapUsed - before) / count;
      assert.equal(index.size, count);
      assert.ok(bytes <= 16, `${bytes} bytes`);
    });
});
