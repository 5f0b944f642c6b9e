import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { f, items, struct } from '@orch/schema';
import fc from 'fast-check';
import { applyMergePatch } from '../merge-patch.ts';
import { PatchError } from '../patch-error.ts';
import { StrategicMerge } from './strategic-merge.ts';

const port = struct('test.Port', 'A port.', { port: f.int32(1), name: f.string(2) });
const container = struct('test.Container', 'A container.', {
  name: f.string(1),
  image: f.string(2),
  args: f.list(3, items.string),
  ports: f.list(4, port, { patchStrategy: 'merge', patchMergeKey: 'port' }),
});
const strategy = struct('test.Strategy', 'A strategy.', {
  type: f.string(1),
  rolling: f.map(2, items.string),
});
const thing = struct('test.Thing', 'A thing.', {
  labels: f.map(1, items.string),
  finalizers: f.list(2, items.string, { patchStrategy: 'merge' }),
  containers: f.list(3, container, { patchStrategy: 'merge', patchMergeKey: 'name' }),
  plain: f.list(4, items.string),
  strategy: f.struct(5, strategy, { patchStrategy: 'retainKeys' }),
});

const merge = new StrategicMerge(namesFor('orch'));
const a = { name: 'a', image: '1' };
const b = { name: 'b', image: '2', ports: [{ port: 80, name: 'http' }] };
const c = { name: 'c', image: '3' };

describe('strategic merge patch', () => {
  for (const [title, document, patch, expected] of [
    [
      'merges maps and removes fields set to null',
      { labels: { x: '1', y: '2' } },
      { labels: { x: null, z: '3' } },
      { labels: { y: '2', z: '3' } },
    ],
    ['replaces lists without a strategy', { plain: ['a', 'b'] }, { plain: ['c'] }, { plain: ['c'] }],
    [
      'adds to lists of scalars without repeating',
      { finalizers: ['a', 'b'] },
      { finalizers: ['b', 'c'] },
      { finalizers: ['a', 'b', 'c'] },
    ],
    [
      'deletes from lists of scalars',
      { finalizers: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/finalizers': ['a', 'c'] },
      { finalizers: ['b'] },
    ],
    [
      'merges items by their key',
      { containers: [a, b] },
      { containers: [{ name: 'b', image: '9' }] },
      { containers: [a, { ...b, image: '9' }] },
    ],
    [
      'puts items with a new key before those that the patch does not name',
      { containers: [a] },
      { containers: [c] },
      { containers: [c, a] },
    ],
    [
      'changes the first of the items with a key',
      {
        containers: [
          {
            name: 'a',
            ports: [
              { port: 80, name: 'x' },
              { port: 80, name: 'y' },
            ],
          },
        ],
      },
      { containers: [{ name: 'a', ports: [{ port: 80, name: 'z' }] }] },
      {
        containers: [
          {
            name: 'a',
            ports: [
              { port: 80, name: 'z' },
              { port: 80, name: 'y' },
            ],
          },
        ],
      },
    ],
    [
      'deletes all items with a key',
      {
        containers: [{ name: 'a', ports: [{ port: 80, name: 'x' }, { port: 81 }, { port: 80, name: 'y' }] }],
      },
      { containers: [{ name: 'a', ports: [{ port: 80, $patch: 'delete' }] }] },
      { containers: [{ name: 'a', ports: [{ port: 81 }] }] },
    ],
    [
      'deletes items by their key',
      { containers: [a, b] },
      { containers: [{ $patch: 'delete', name: 'a' }] },
      { containers: [b] },
    ],
    [
      'replaces a whole list',
      { containers: [a, b] },
      { containers: [{ $patch: 'replace' }, c] },
      { containers: [c] },
    ],
    [
      'replaces a whole object',
      { labels: { x: '1' } },
      { labels: { $patch: 'replace', z: '2' } },
      { labels: { z: '2' } },
    ],
    ['empties an object', { labels: { x: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    [
      'merges lists inside items',
      { containers: [b] },
      { containers: [{ name: 'b', ports: [{ port: 80, name: 'web' }, { port: 81 }] }] },
      { containers: [{ ...b, ports: [{ port: 80, name: 'web' }, { port: 81 }] }] },
    ],
    [
      'orders items as requested, and puts an unlisted item before the first that followed it',
      { containers: [a, b, c] },
      {
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
        containers: [{ name: 'c', image: '9' }],
      },
      { containers: [b, { ...c, image: '9' }, a] },
    ],
    [
      'orders a list that it does not change',
      { finalizers: ['a', 'b', 'c'] },
      { '$setElementOrder/finalizers': ['b', 'a'] },
      { finalizers: ['b', 'a', 'c'] },
    ],
    [
      'keeps only the fields that $retainKeys lists',
      { strategy: { type: 'Rolling', rolling: { max: '1' } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'leaves no directive in what it adds',
      {},
      { strategy: { $retainKeys: ['type'], type: 'x' } },
      { strategy: { type: 'x' } },
    ],
    [
      'leaves no directive and no null in new items',
      {},
      {
        containers: [
          { name: 'n', image: null, '$setElementOrder/ports': [{ port: 1 }], ports: [{ port: 1 }] },
        ],
      },
      { containers: [{ name: 'n', ports: [{ port: 1 }] }] },
    ],
  ] as const) {
    it(`a strategic merge patch ${title}`, () => {
      const before = structuredClone(document);
      assert.deepEqual(merge.apply(document, patch, thing), expected);
      assert.deepEqual(document, before, 'the document is left as it was');
    });
  }

  it('a strategic merge patch treats __proto__ as data', () => {
    const patch = JSON.parse('{"labels":{"__proto__":"x"}}') as object;
    const result = merge.apply({ labels: { a: '1' } }, patch, thing) as { labels: object };
    assert.equal(JSON.stringify(result.labels), '{"a":"1","__proto__":"x"}');
    assert.equal(Object.getPrototypeOf(result.labels), Object.prototype);
  });

  for (const [title, patch, message] of [
    ['an unknown $patch mode', { labels: { $patch: 'explode' } }, /labels: \$patch must be/],
    ['an item without its merge key', { containers: [{ image: 'x' }] }, /containers\[0\].*"name"/],
    ['a directive that is not a list', { '$deleteFromPrimitiveList/finalizers': 'a' }, /must be a list/],
    [
      'a field outside $retainKeys',
      { strategy: { $retainKeys: ['type'], rolling: {} } },
      /strategy\.rolling/,
    ],
    ['a patch that is not an object', [], /must be a JSON object/],
  ] as const) {
    it(`a strategic merge patch is rejected for ${title}`, () => {
      assert.throws(
        () => merge.apply({}, patch, thing),
        (error: unknown) => error instanceof PatchError && message.test(error.message),
      );
    });
  }

  it('a strategic merge takes time in proportion to the lists, not to their product', () => {
    const list = (from: number) =>
      Array.from({ length: 30_000 }, (_, i) => ({ name: `n${from + i}`, image: 'x' }));
    const deleted = list(0).map(({ name }) => ({ $patch: 'delete', name }));
    const { containers } = merge.apply(
      { containers: list(0) },
      { containers: [...list(15_000), ...deleted] },
      thing,
    ) as {
      containers: unknown[];
    };
    assert.equal(containers.length, 15_000);
  });

  it('a strategic merge patch without schema rules is a merge patch, and is idempotent', () => {
    const plain = fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(plain, plain, (document, patch) => {
        const once = merge.apply(document, patch, thing);
        assert.deepEqual(once, applyMergePatch(document, patch));
        assert.deepEqual(merge.apply(once, patch, thing), once);
      }),
    );
    const names = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));
    const itemsOf = (list: readonly string[]) => ({ containers: list.map((name) => ({ name })) });
    fc.assert(
      fc.property(names, names, (before, change) => {
        const once = merge.apply(itemsOf(before), itemsOf(change), thing) as {
          containers: { name: string }[];
        };
        const all = once.containers.map((item) => item.name);
        assert.deepEqual([...all].sort(), [...new Set([...before, ...change])].sort());
        assert.deepEqual(
          all.filter((name) => change.includes(name)),
          change,
        );
        assert.deepEqual(
          all.filter((name) => !change.includes(name)),
          before.filter((name) => !change.includes(name)),
        );
        assert.deepEqual(merge.apply(once, itemsOf(change), thing), once);
      }),
    );
  });
});
