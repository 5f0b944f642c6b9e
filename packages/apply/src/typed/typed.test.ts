import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson, deepFreeze, type MutableJsonObject } from '@orch/machinery/json';
import fc from 'fast-check';
import { emptySet } from '../fields/field-set.ts';
import { writeFields } from '../fields/fields-v1.ts';
import { containsAll, equalSets, union } from '../fields/set-algebra.ts';
import { deckKind, deckVersions } from '../testing/deck.ts';
import { type Change, fieldsSet } from './change.ts';
import { fieldsOf } from './collect.ts';
import { compare } from './compare.ts';
import { mergeConfig } from './merge.ts';
import { mergeOrder } from './merge-order.ts';
import { prune } from './prune.ts';
import { existingOnly } from './restrict.ts';
import { isAppliedAlready } from './unchanged.ts';

const shape = deckKind.shapes('test/v1')?.root;
if (shape === undefined) throw new Error('the kind has a version 1');

const names = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('x', 'y', 'z');
const unique = <T>(item: fc.Arbitrary<T>, selector: (item: T) => unknown): fc.Arbitrary<T[]> =>
  fc.uniqueArray(item, { selector, minLength: 1, maxLength: 3 });

const container = fc.record(
  {
    name: names,
    image: text,
    args: fc.array(text, { minLength: 1, maxLength: 2 }),
    ports: unique(
      fc.record({ port: fc.constantFrom(1, 2), protocol: fc.constantFrom('TCP', 'UDP'), name: text }),
      ({ port, protocol }) => `${port}${protocol}`,
    ),
    limits: fc.dictionary(names, fc.constantFrom('1', '2'), { minKeys: 1 }),
  },
  { requiredKeys: ['name'] },
);

/** Configurations of every sort of field; containers that they name hold something. */
const spec: fc.Arbitrary<MutableJsonObject> = fc
  .record(
    {
      replicas: fc.integer({ min: 1, max: 3 }),
      title: text,
      containers: unique(container, ({ name }) => name),
      tags: unique(text, (tag) => tag),
      args: fc.array(text, { minLength: 1, maxLength: 2 }),
      data: fc.dictionary(names, text, { minKeys: 1 }),
      nodeSelector: fc.dictionary(names, text, { minKeys: 1 }),
      groups: fc.dictionary(names, fc.record({ size: fc.integer(), color: text }, { requiredKeys: [] })),
      raw: fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
    },
    { requiredKeys: [] },
  )
  .map((value) => value as MutableJsonObject);

const object = spec.map((value) => deepFreeze({ metadata: { name: 'd' }, spec: value }) as MutableJsonObject);

const decoded = (value: MutableJsonObject): MutableJsonObject =>
  deckVersions['test/v1']?.codec.decode(cloneJson(value)).value as unknown as MutableJsonObject;

describe('typed merge', () => {
  it('a typed merge is idempotent', () => {
    fc.assert(
      fc.property(object, object, (live, config) => {
        const once = deepFreeze(mergeConfig(live, config, shape)) as MutableJsonObject;
        assert.equal(mergeConfig(once, config, shape), once);
      }),
    );
  });

  it('a typed merge changes only fields that the configuration contains', () => {
    fc.assert(
      fc.property(object, object, (live, config) => {
        const merged = mergeConfig(live, config, shape);
        const change = compare(live, merged, shape);
        const fields = fieldsOf(config, shape);
        const set = change === undefined ? emptySet : fieldsSet(change);
        // Parent structs are created without an owner; an untyped value may change its JSON type.
        for (const path of [...set.paths(), ...(change?.removed ?? emptySet).paths()]) {
          assert.ok(fields.at(path) !== undefined || fields.covers(path), path.join());
        }
      }),
    );
  });

  it('after a typed merge the fields of the configuration have its values', () => {
    fc.assert(
      fc.property(object, object, (live, config) => {
        const merged = mergeConfig(live, config, shape);
        const change = compare(merged, mergeConfig(merged, config, shape), shape);
        assert.equal(change, undefined);
      }),
    );
  });

  it('a configuration that is applied to an empty object and dropped leaves nothing', () => {
    fc.assert(
      fc.property(object, (config) => {
        const merged = mergeConfig({ metadata: { name: 'd' } }, config, shape);
        const set = fieldsOf(config, shape);
        const left = prune(merged, shape, set, undefined) as MutableJsonObject;
        assert.ok(existingOnly(set, left, shape).isEmpty);
        assert.deepEqual(left['metadata'], { name: 'd' });
      }),
    );
  });

  it('dropping a configuration leaves the fields of other managers unchanged', () => {
    fc.assert(
      fc.property(object, object, (mine, theirs) => {
        const set = fieldsOf(mine, shape);
        const kept = fieldsOf(theirs, shape);
        const both = mergeConfig(mergeConfig({ metadata: {} }, mine, shape), theirs, shape);
        const left = prune(both, shape, set, kept);
        assert.equal(compare(left, mergeConfig(left, theirs, shape), shape), undefined);
      }),
    );
  });
});

describe('comparison of typed values', () => {
  it('equal objects have no difference, and the difference between others can be owned', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        assert.equal(compare(a, cloneJson(a), shape), undefined);
        const there = compare(a, b, shape);
        const back = compare(b, a, shape);
        assert.equal(there === undefined, back === undefined);
        assertMirrored(there, back);
      }),
    );
  });

  it('an object and its stored form compare in the same way', () => {
    fc.assert(
      fc.property(object, (a) => {
        const stored = decoded(a);
        const change = compare(
          stored,
          decoded({ ...stored, spec: { ...(stored['spec'] as MutableJsonObject) } }),
          shape,
        );
        assert.equal(change, undefined);
      }),
    );
  });
});

/** Asserts that a modification in one direction is a modification in the other direction. */
function assertMirrored(there: Change | undefined, back: Change | undefined): void {
  const [a, b] = [there?.modified ?? emptySet, back?.modified ?? emptySet];
  const shared = union(a, b);
  assert.ok(equalSets(a, b) || containsAll(shared, a));
}

function isFull(value: unknown): boolean {
  if (typeof value !== 'object') return true;
  if (value === null) return false;
  const below = Object.values(value);
  return below.length > 0 && below.every(isFull);
}

describe('the fast path of an apply that changes nothing', () => {
  it('the fast path is taken only where the complete merge changes nothing', () => {
    fc.assert(
      fc.property(object, object, (live, config) => {
        const merged = mergeConfig(live, config, shape);
        const raw = writeFields(fieldsOf(config, shape));
        const sameValues = compare(live, merged, shape) === undefined;
        if (isAppliedAlready(config, live, shape, raw)) assert.ok(sameValues);
      }),
    );
  });

  it('the fast path is taken for every applied configuration without empty containers and nulls', () => {
    fc.assert(
      fc.property(object.filter(isFull), (config) => {
        const raw = writeFields(fieldsOf(config, shape));
        assert.ok(isAppliedAlready(config, decoded(config), shape, raw));
      }),
    );
  });

  it('the fast path is not taken when the set differs', () => {
    fc.assert(
      fc.property(object, object, (config, other) => {
        const raw = writeFields(fieldsOf(other, shape));
        const same = equalSets(fieldsOf(config, shape), fieldsOf(other, shape));
        if (isAppliedAlready(config, config, shape, raw)) assert.ok(same);
      }),
    );
  });
});

describe('the order of merged lists', () => {
  const order = (live: string, config: string): string => {
    const ids = [...live];
    const places = new Map(ids.map((id) => [id, ids.indexOf(id)]));
    return mergeOrder(ids, [...config], places)
      .map(({ from, at }) => (from === 'live' ? ids[at] : config[at]))
      .join('');
  };

  for (const [title, live, config, expected] of [
    ['the configuration alone', '', 'ba', 'ba'],
    ['an empty configuration', 'ab', '', 'ab'],
    ['the same items', 'ab', 'ab', 'ab'],
    ['another order', 'ab', 'ba', 'ba'],
    ['a new item behind', 'a', 'ab', 'ab'],
    ['a new item in front', 'b', 'ab', 'ab'],
    ['an item of others in the middle', 'axb', 'ab', 'axb'],
    ['an item of others at the end', 'abx', 'abc', 'abxc'],
    ['items of others in front', 'xya', 'a', 'xya'],
    ['a new item in front of a shared one, behind those of others', 'xa', 'na', 'xna'],
    ['moved items with one of others between', 'axb', 'ba', 'xba'],
    ['nothing shared', 'xy', 'ab', 'xyab'],
  ] as const) {
    it(`lists are merged in order: ${title}`, () => assert.equal(order(live, config), expected));
  }

  it('a merged list keeps the order of the configuration and of the items of other managers', () => {
    const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    fc.assert(
      fc.property(list, list, (live, config) => {
        const merged = [...order(live.join(''), config.join(''))];
        assert.deepEqual([...merged].sort(), [...new Set([...live, ...config])].sort());
        assert.deepEqual(
          merged.filter((id) => config.includes(id)),
          config,
        );
        assert.deepEqual(
          merged.filter((id) => !config.includes(id)),
          live.filter((id) => !config.includes(id)),
        );
      }),
    );
  });
});
