import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FieldPath } from './element.ts';
import { emptySet, FieldSet, leaf, setOfFields, singlePath } from './field-set.ts';
import { isWritten, readFields, writeFields } from './fields-v1.ts';
import {
  containsAll,
  difference,
  equalSets,
  intersection,
  leaves,
  recursiveDifference,
  union,
} from './set-algebra.ts';

const steps = ['f:a', 'f:b', 'k:{"name":"x"}', 'v:1', 'i:0'];
const paths = fc.array(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 }), {
  maxLength: 12,
});

const setOf = (list: readonly FieldPath[]): FieldSet =>
  list.reduce<FieldSet>((set, path) => union(set, singlePath(path)), emptySet);

const keyOf = (path: FieldPath): string => path.join('/');
const textsOf = (set: FieldSet): string[] => [...set.paths()].map(keyOf).sort();
const unique = (list: Iterable<FieldPath>): string[] => [...new Set([...list].map(keyOf))].sort();
const isBelow = (path: FieldPath, above: FieldPath): boolean => above.every((step, i) => step === path[i]);

/** Empty nodes would make equal sets structurally different. */
function assertCompact(node: FieldSet, isRoot = true): void {
  assert.ok(isRoot || node.self || node.hasChildren);
  for (const child of node.children.values()) assertCompact(child, false);
}

describe('field sets', () => {
  it('field sets have the operations of sets of paths', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [x, y] = [setOf(a), setOf(b)];
        const inB = new Set(b.map(keyOf));
        const inA = new Set(a.map(keyOf));
        assert.deepEqual(textsOf(x), unique(a));
        assert.deepEqual(textsOf(union(x, y)), unique([...a, ...b]));
        assert.deepEqual(textsOf(difference(x, y)), unique(a.filter((path) => !inB.has(keyOf(path)))));
        assert.deepEqual(textsOf(intersection(x, y)), unique(a.filter((path) => inB.has(keyOf(path)))));
        assert.deepEqual(
          textsOf(recursiveDifference(x, y)),
          unique(a.filter((path) => !b.some((above) => isBelow(path, above)))),
        );
        assert.deepEqual(
          textsOf(leaves(x)),
          unique(a.filter((path) => !a.some((other) => other.length > path.length && isBelow(other, path)))),
        );
        assert.equal(equalSets(x, y), unique(a).join() === unique(b).join());
        assert.equal(
          containsAll(x, y),
          b.every((path) => inA.has(keyOf(path))),
        );
        for (const set of [union(x, y), difference(x, y), intersection(x, y), recursiveDifference(x, y)]) {
          assertCompact(set);
        }
      }),
    );
  });

  it('field sets contain fields, prefixes and the paths below fields', () => {
    fc.assert(
      fc.property(paths, fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 }), (a, path) => {
        const set = setOf(a);
        assert.equal(
          set.has(path),
          a.some((field) => keyOf(field) === keyOf(path)),
        );
        assert.equal(
          set.covers(path),
          a.some((field) => isBelow(path, field)),
        );
        assert.equal(
          set.at(path) !== undefined,
          a.some((field) => isBelow(field, path)),
        );
        assert.equal(set.size, unique(a).length);
        assert.equal(set.isEmpty, a.length === 0);
      }),
    );
  });

  it('the results of set operations share unchanged parts', () => {
    const set = setOf([['f:a', 'f:b'], ['f:a', 'i:0'], ['f:b']]);
    const part = setOf([['f:a', 'f:b']]);
    assert.equal(union(set, part), set);
    assert.equal(union(emptySet, set), set);
    assert.equal(difference(set, setOf([['f:x']])), set);
    assert.equal(recursiveDifference(set, emptySet), set);
    assert.equal(difference(set, setOf([['f:b']])).child('f:a'), set.child('f:a'));
  });

  it('a field set is built from names of fields', () => {
    const set = setOfFields([['status'], ['metadata', 'labels'], ['metadata']]);
    assert.deepEqual(textsOf(set), ['f:metadata', 'f:metadata/f:labels', 'f:status']);
  });

  it('a field set is equal after writing and reading it', () => {
    fc.assert(
      fc.property(paths, (a) => {
        const set = setOf(a);
        const written: unknown = JSON.parse(JSON.stringify(writeFields(set)));
        const read = readFields(written, 1_000);
        assert.ok(read instanceof FieldSet);
        assert.ok(equalSets(read, set));
        assert.ok(isWritten(written, set));
        assert.equal(JSON.stringify(writeFields(read)), JSON.stringify(written));
      }),
    );
  });

  it('a field set recognises its serialised text', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        assert.equal(isWritten(writeFields(setOf(a)), setOf(b)), equalSets(setOf(a), setOf(b)));
      }),
    );
  });
});

describe('serialised field sets', () => {
  const texts: readonly (readonly [title: string, text: string, written?: string])[] = [
    ['nothing', '{}'],
    ['a field', '{"f:spec":{"f:replicas":{}}}'],
    ['a field with others below it', '{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}'],
    [
      'what a client of a cluster sees of a deployment',
      '{"f:metadata":{"f:annotations":{".":{},"f:deployment.example/revision":{}},"f:labels":{"f:app":{}}},"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\\"name\\":\\"nginx\\"}":{".":{},"f:image":{},"f:ports":{".":{},"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}}}}}}}}',
    ],
    ['values of a set', '{"f:metadata":{"f:finalizers":{".":{},"v:\\"a\\"":{},"v:\\"b\\"":{}}}}'],
    ['positions', '{"f:list":{"i:0":{},"i:1":{"f:a":{}}}}'],
    ['steps in another order', '{"f:b":{},"f:a":{}}', '{"f:a":{},"f:b":{}}'],
    ['a dot behind the others', '{"f:a":{"f:b":{},".":{}}}', '{"f:a":{".":{},"f:b":{}}}'],
    ['a dot alone is the path itself', '{"f:a":{".":{}}}', '{"f:a":{}}'],
    ['null is the path itself', '{"f:a":null}', '{"f:a":{}}'],
    [
      'one key in two spellings',
      '{"k:{\\"n\\":1}":{"f:a":{}},"k:{ \\"n\\":1}":{"f:b":{}}}',
      '{"k:{\\"n\\":1}":{"f:a":{},"f:b":{}}}',
    ],
    ['an unknown step with all below it', '{"f:a":{},"x:1":{"broken":5}}', '{"f:a":{}}'],
    ['only unknown steps', '{"f:a":{"x:1":{}}}', '{}'],
  ];
  for (const [title, text, written = text] of texts) {
    it(title, () => {
      const set = readFields(JSON.parse(text), 100);
      assert.ok(set instanceof FieldSet);
      assert.equal(JSON.stringify(writeFields(set)), written);
    });
  }

  it('absent and empty serialised sets are the empty set', () => {
    for (const none of [undefined, null, {}]) assert.equal(readFields(none, 10), emptySet);
  });

  const bad: readonly (readonly [title: string, raw: unknown, at: string])[] = [
    ['a list', [], ''],
    ['a string', 'f:a', ''],
    ['a number as a step', { 'f:a': 5 }, 'f:a'],
    ['a list as a step', { 'f:a': [] }, 'f:a'],
    ['a step without kind', { a: {} }, 'a'],
    ['__proto__', JSON.parse('{"__proto__":{}}'), '__proto__'],
    [
      'more steps than allowed',
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f:${i}`, {}])),
      'f:100',
    ],
  ];
  for (const [title, raw, at] of bad) {
    it(`a serialised field set is rejected: ${title}`, () => {
      const read = readFields(raw, 100);
      assert.ok(!(read instanceof FieldSet));
      assert.equal(read.at, at);
    });
  }

  it('a serialised field set beyond the JSON nesting limit is rejected', () => {
    let deep: object = {};
    for (let i = 0; i < 100_000; i++) deep = { 'f:a': deep };
    assert.ok(!(readFields(deep, 1_000_000) instanceof FieldSet));
  });

  it('reading a serialised field set never changes a prototype', () => {
    const set = readFields(JSON.parse('{"f:__proto__":{"f:polluted":{}},"f:constructor":{}}'), 10);
    assert.ok(set instanceof FieldSet);
    assert.equal(JSON.stringify(writeFields(set)), '{"f:__proto__":{"f:polluted":{}},"f:constructor":{}}');
    assert.equal(({} as Record<string, unknown>)['f:polluted'], undefined);
    assert.equal(leaf.hasChildren, false);
  });
});
