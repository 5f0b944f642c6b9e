import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { f, items, struct } from '@orch/schema';
import fc from 'fast-check';
import { applyMergePatch, applyStrategicMergePatch, PatchError } from './index.ts';

const Port = struct('test.Port', '', { port: f.int32(1), name: f.string(2), protocol: f.string(3) });
const Container = struct('test.Container', '', {
  name: f.string(1),
  image: f.string(2),
  args: f.list(3, items.string),
  ports: f.list(4, Port, { patchStrategy: 'merge', patchMergeKey: 'port' }),
});
const Volume = struct('test.Volume', '', {
  name: f.string(1),
  a: f.struct(2, struct('test.A', '', { x: f.int32(1) })),
  b: f.struct(3, struct('test.B', '', { y: f.int32(1) })),
});
const Shared = struct('test.Shared', '', { tags: f.list(1, items.string, { patchStrategy: 'merge' }) });
const Widget = struct('test.Widget', '', {
  shared: f.inline(1, Shared),
  labels: f.map(2, items.string),
  containers: f.list(3, Container, { patchStrategy: 'merge', patchMergeKey: 'name' }),
  plain: f.list(4, items.string),
  volumes: f.list(5, Volume, { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name' }),
  strategy: f.struct(6, struct('test.Strategy', '', { type: f.string(1), rolling: f.struct(2, Port) }), {
    patchStrategy: 'retainKeys',
  }),
  whole: f.struct(7, Port, { patchStrategy: 'replace' }),
});

const merged = (document: object, patch: unknown): unknown =>
  applyStrategicMergePatch(document, patch, Widget);

describe('strategic merge patch', () => {
  const cases: readonly (readonly [title: string, document: object, patch: object, result: object])[] = [
    [
      'objects merge, null removes',
      { labels: { a: '1', b: '2' } },
      { labels: { a: null, c: '3' } },
      { labels: { b: '2', c: '3' } },
    ],
    ['plain lists are replaced', { plain: ['a'] }, { plain: ['b'] }, { plain: ['b'] }],
    [
      'lists of objects merge by key',
      { containers: [{ name: 'a', image: '1', args: ['x'] }, { name: 'b' }] },
      { containers: [{ name: 'a', image: '2' }] },
      { containers: [{ name: 'a', image: '2', args: ['x'] }, { name: 'b' }] },
    ],
    [
      'new items are added, before those that the patch does not name',
      { containers: [{ name: 'a' }] },
      { containers: [{ name: 'c' }] },
      { containers: [{ name: 'c' }, { name: 'a' }] },
    ],
    [
      'nested lists merge too',
      { containers: [{ name: 'a', ports: [{ port: 1 }] }] },
      { containers: [{ name: 'a', ports: [{ port: 2, name: 'x' }] }] },
      { containers: [{ name: 'a', ports: [{ port: 2, name: 'x' }, { port: 1 }] }] },
    ],
    [
      'an item is deleted by its key',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ $patch: 'delete', name: 'a' }] },
      { containers: [{ name: 'b' }] },
    ],
    [
      'a list is replaced by directive',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ name: 'c' }, { $patch: 'replace' }] },
      { containers: [{ name: 'c' }] },
    ],
    [
      'an object is replaced by directive',
      { labels: { a: '1' } },
      { labels: { $patch: 'replace', b: '2' } },
      { labels: { b: '2' } },
    ],
    [
      'an object is emptied by directive',
      { labels: { a: '1' } },
      { labels: { $patch: 'delete' } },
      { labels: {} },
    ],
    [
      'merge is what happens anyway',
      { labels: { a: '1' } },
      { labels: { $patch: 'merge', b: '2' } },
      { labels: { a: '1', b: '2' } },
    ],
    [
      'lists of scalars merge as sets, in inline structs too',
      { tags: ['a', 'b'] },
      { tags: ['b', 'c'] },
      { tags: ['a', 'b', 'c'] },
    ],
    [
      'values leave a list of scalars',
      { tags: ['a', 'b', 'c'] },
      { '$deleteFromPrimitiveList/tags': ['b'] },
      { tags: ['a', 'c'] },
    ],
    [
      'order of scalars',
      { tags: ['a', 'b', 'c'] },
      { '$setElementOrder/tags': ['c', 'a', 'd'], tags: ['d'] },
      { tags: ['b', 'c', 'a', 'd'] },
    ],
    [
      'order of items',
      { containers: [{ name: 'a' }, { name: 'b' }, { name: 'server' }] },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      { containers: [{ name: 'b' }, { name: 'a' }, { name: 'server' }] },
    ],
    [
      'only what is retained stays',
      { strategy: { type: 'R', rolling: { port: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'S' } },
      { strategy: { type: 'S' } },
    ],
    [
      'only what is retained stays in list items',
      { volumes: [{ name: 'v', a: { x: 1 } }] },
      { volumes: [{ name: 'v', $retainKeys: ['name', 'b'], b: { y: 2 } }] },
      { volumes: [{ name: 'v', b: { y: 2 } }] },
    ],
    [
      'strategy replace takes the patch alone',
      { whole: { port: 1, name: 'x' } },
      { whole: { port: 2 } },
      { whole: { port: 2 } },
    ],
    [
      'what is not there yet is made without directives and nulls',
      {},
      {
        labels: { a: '1', b: null },
        containers: [
          { name: 'a', image: null },
          { $patch: 'delete', name: 'b' },
        ],
      },
      { labels: { a: '1' }, containers: [{ name: 'a' }] },
    ],
    [
      'a value of another type is replaced',
      { labels: 'x', plain: {} },
      { labels: { a: '1' }, plain: ['a'] },
      { labels: { a: '1' }, plain: ['a'] },
    ],
    [
      'unknown members are as in a merge patch',
      { other: { a: 1, l: [1] } },
      { other: { b: 2, l: [2] } },
      { other: { a: 1, b: 2, l: [2] } },
    ],
  ];
  for (const [title, document, patch, result] of cases) {
    it(title, () => {
      const before = JSON.stringify([document, patch]);
      assert.deepEqual(merged(document, patch), result);
      assert.equal(JSON.stringify([document, patch]), before);
    });
  }

  for (const [title, patch, code] of [
    ['a patch that is no object', [1], 'malformed'],
    ['an unknown directive', { labels: { $patch: 'frob' } }, 'malformed'],
    ['a directive list that is no list', { '$deleteFromPrimitiveList/tags': 'a' }, 'malformed'],
    ['an order that is no list', { '$setElementOrder/tags': 'a' }, 'malformed'],
    ['retained keys that are no list', { strategy: { $retainKeys: 'a' } }, 'malformed'],
    [
      'retained keys without a member of the patch',
      { strategy: { $retainKeys: [], type: 'x' } },
      'malformed',
    ],
    ['an item without its key', { containers: [{ image: 'x' }] }, 'failed'],
    ['an item that is no object', { containers: [{ name: 'a' }, 1] }, 'failed'],
  ] as const) {
    it(`refuses ${title}`, () => {
      assert.throws(
        () => merged({ tags: ['a'] }, patch),
        (error) => error instanceof PatchError && error.code === code,
      );
    });
  }

  it('finds members by the names of the document', () => {
    const options = { neutralField: (name: string) => (name === 'behaelter' ? 'containers' : name) };
    assert.deepEqual(
      applyStrategicMergePatch(
        { behaelter: [{ name: 'a' }] },
        { behaelter: [{ name: 'a', image: 'x' }] },
        Widget,
        options,
      ),
      { behaelter: [{ name: 'a', image: 'x' }] },
    );
  });

  it('treats __proto__ as an ordinary name', () => {
    const patch: unknown = JSON.parse('{"labels":{"__proto__":"x"},"__proto__":{"polluted":1}}');
    assert.equal(
      JSON.stringify(merged({}, patch)),
      '{"labels":{"__proto__":"x"},"__proto__":{"polluted":1}}',
    );
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('is a merge patch where the schema says nothing, and merging twice is merging once', () => {
    const plain = fc.dictionary(fc.constantFrom('p', 'q', 'r'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(plain, plain, (document, patch) => {
        const once = merged(document, patch);
        assert.deepEqual(once, applyMergePatch(document, patch));
        assert.deepEqual(merged(once as object, patch), once);
      }),
    );
    const names = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd') }), { maxLength: 4 });
    const unique = names.map((list) =>
      list.filter((item, i) => list.findIndex((other) => other.name === item.name) === i),
    );
    fc.assert(
      fc.property(unique, unique, (before, change) => {
        const once = merged({ containers: before }, { containers: change }) as {
          containers: { name: string }[];
        };
        const all = once.containers.map((item) => item.name);
        assert.deepEqual(
          [...all].sort(),
          [...new Set([...before, ...change].map((item) => item.name))].sort(),
        );
        assert.deepEqual(merged(once, { containers: change }), once);
        const ordered = all.filter((name) => change.some((item) => item.name === name));
        assert.deepEqual(
          ordered,
          change.map((item) => item.name),
        );
      }),
    );
  });
});
