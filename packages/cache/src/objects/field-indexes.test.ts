import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle } from '@orch/machinery/testing';
import { everything, podsResource } from '../testing/fixture.ts';
import type { CachedObject, CachedResource, ObjectFilter } from '../types.ts';
import { noIndexes } from './complete-indexes.ts';
import { exactFields } from './field-layout.ts';
import { Interner } from './interner.ts';
import { ObjectIndexes } from './object-indexes.ts';
import { type Selection, select } from './select.ts';
import { detachedObject, type StoredObject } from './stored-object.ts';
import { Tree } from './tree.ts';

const FIELD = 'status.phase';
const OBJECTS = 3000;
const VALUES = 100;

const resource: CachedResource = {
  ...podsResource(),
  selectableFields: ['metadata.name', 'metadata.namespace', 'spec.nodeName', FIELD],
  indexedFields: ['spec.nodeName'],
};

function fieldFilter(field: string, value: string): ObjectFilter {
  const position = resource.selectableFields.indexOf(field);
  const matchesFields = (object: Pick<CachedObject, 'field'>): boolean => object.field(position) === value;
  return { fieldEquals: [{ field, value }], everything: false, matchesLabels: () => true, matchesFields };
}

/** Objects of one resource with their indexes, changed as a resource state changes them. */
class Indexed {
  readonly resource = resource;
  readonly tree = Tree.empty<StoredObject>();
  readonly indexes = new ObjectIndexes(this);
  readonly #labels = new Interner().labels({}, undefined);
  #rev = 0;

  set(name: string, value: string, namespace = 'a'): void {
    const key = `${namespace}/${name}`;
    this.#rev += 1;
    const fields = exactFields([name, namespace, 'node', value]);
    const head = { key, rev: this.#rev, labels: this.#labels, fields, corrupt: false, revisionOffset: -1 };
    const object = detachedObject(head, Buffer.from('{}'));
    this.indexes.replace(this.tree.set(object), object);
  }

  delete(name: string): void {
    const before = this.tree.delete(`a/${name}`);
    if (before !== undefined) this.indexes.replace(before, undefined);
  }

  list(field: string, value: string, now = 0): Selection {
    const query = { scope: { prefix: '' }, filter: fieldFilter(field, value) };
    const selection = select(this.tree, this.indexes.complete, query);
    this.indexes.listed(query.filter, selection, now);
    return selection;
  }

  /** The keys that a scan selects. */
  scanned(value: string): readonly string[] {
    return select(this.tree, noIndexes, { scope: { prefix: '' }, filter: everything })
      .objects.filter((object) => object.field(3) === value)
      .map(({ key }) => key);
  }
}

function indexed(valueAt: (i: number) => string = (i) => `value-${i % VALUES}`): Indexed {
  const state = new Indexed();
  for (let i = 0; i < OBJECTS; i += 1) state.set(`o-${i}`, valueAt(i));
  return state;
}

/** Resolves when the index of the field is made; such a test fails by its timeout otherwise. */
async function untilMade({ indexes }: Indexed): Promise<void> {
  while (!indexes.complete.fields.some(({ field }) => field === FIELD)) await settle();
}

/** Time in which an index of all objects is made. */
async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < OBJECTS / 100; turn += 1) await settle();
}

describe('indexes of selectable fields', () => {
  it('indexes of selectable fields are made after a list that scans many objects for few', async () => {
    const state = indexed();
    const [first, second] = [state.list(FIELD, 'value-7'), state.list(FIELD, 'value-7')];
    assert.deepEqual([first.index, first.fetched, second.fetched], ['', OBJECTS, OBJECTS]);
    await untilMade(state);
    const third = state.list(FIELD, 'value-7');
    assert.deepEqual([third.index, third.fetched], [FIELD, OBJECTS / VALUES]);
    assert.deepEqual(third.objects, first.objects);
  });

  it('indexes select the same objects as a scan, whatever changes while they are made and afterwards', async () => {
    const random = seededRandom(12);
    const state = indexed();
    state.list(FIELD, 'value-7');
    for (let round = 0; round < 40; round += 1) {
      for (let change = 0; change < 50; change += 1) {
        const name = `o-${random.int(OBJECTS + 100)}`;
        if (random.int(4) === 0) state.delete(name);
        else state.set(name, `value-${random.int(VALUES)}`);
      }
      // Few values: an index keeps the order of those that were listed before.
      const value = `value-${random.int(VALUES / 20)}`;
      const keys = state.list(FIELD, value).objects.map(({ key }) => key);
      assert.deepEqual(keys, state.scanned(value), `round ${round} of seed 12`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(state.list(FIELD, 'value-7').index, FIELD);
  });

  it('pages of a list by a field have the objects of one namespace after the last key, whatever changed before', async () => {
    const state = indexed();
    state.list(FIELD, 'value-7');
    await untilMade(state);
    const filter = fieldFilter(FIELD, 'value-7');
    const namesAfter = (after?: string): readonly string[] => {
      const query = { scope: { prefix: 'b/' }, filter, limit: 2, ...(after === undefined ? {} : { after }) };
      return select(state.tree, state.indexes.complete, query).objects.map(({ key }) => key);
    };
    for (const name of ['x', 'v', 'z']) state.set(name, 'value-7', 'b');
    state.set('a', 'value-7', 'c');
    assert.deepEqual(namesAfter(), ['b/v', 'b/x']);
    assert.deepEqual(namesAfter('b/x'), ['b/z']);
    state.set('y', 'value-7', 'b');
    state.set('v', 'value-8', 'b');
    assert.deepEqual(namesAfter(), ['b/x', 'b/y']);
    assert.deepEqual(namesAfter('b/y'), ['b/z']);
    assert.deepEqual(namesAfter('c/a'), []);
  });

  it('indexes of selectable fields are not made where many objects have the same value, or for names', async () => {
    const state = indexed(() => 'Running');
    state.list(FIELD, 'Running');
    state.list('metadata.name', 'o-7');
    await severalTurns();
    assert.deepEqual(
      state.indexes.complete.fields.map(({ field }) => field),
      ['spec.nodeName'],
    );
  });

  it('indexes of selectable fields are dropped when no list has used them since a time, and made again', async () => {
    const state = indexed();
    state.list(FIELD, 'value-7', 1000);
    await untilMade(state);
    state.list(FIELD, 'value-7', 2000);
    state.indexes.expire(2000);
    assert.equal(state.list(FIELD, 'value-7', 2000).index, FIELD);
    state.indexes.expire(2001);
    assert.equal(state.list(FIELD, 'value-7', 3000).index, '');
    await untilMade(state);
    assert.equal(state.list(FIELD, 'value-7', 3000).index, FIELD);
  });

  it('indexes of selectable fields hold objects whose values are all different', async () => {
    const state = indexed((i) => `value-${i}`);
    state.list(FIELD, 'value-7');
    await untilMade(state);
    assert.deepEqual(
      state.list(FIELD, 'value-8').objects.map(({ key }) => key),
      ['a/o-8'],
    );
    assert.deepEqual(state.list(FIELD, 'value-none').objects, []);
  });
});
