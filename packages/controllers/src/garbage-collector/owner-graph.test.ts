import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource } from '@orch/client';
import { namesFor, type ObjectMeta } from '@orch/machinery';
import { AbsentOwners } from './absent-owners.ts';
import { OwnerGraph } from './owner-graph.ts';

const boxes: Resource = {
  group: 'example.com',
  version: 'v1',
  resource: 'boxes',
  kind: 'Box',
  namespaced: true,
};
const waiting = { deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };

function world() {
  const examined: string[] = [];
  const absent = new AbsentOwners(10);
  const graph = new OwnerGraph({ names: namesFor('orch'), absent, examine: (uid) => examined.push(uid) });
  /** A box whose uid is its name, with owners that it holds up; a `-` before a name says that it does not. */
  const put = (name: string, owners: readonly string[] = [], rest: ObjectMeta = {}): ObjectMeta => {
    const ownerReferences = owners.map((text) => {
      const owner = text.replace(/^-/, '');
      const blockOwnerDeletion = owner === text;
      return { apiVersion: 'example.com/v1', kind: 'Box', name: owner, uid: owner, blockOwnerDeletion };
    });
    const meta = { name, namespace: 'x', uid: name, resourceVersion: '1', ownerReferences, ...rest };
    graph.observe(boxes, meta);
    return meta;
  };
  /** Uids that were to be examined since the last time. */
  const toExamine = (): readonly string[] => [...new Set(examined.splice(0))].sort();
  return { graph, absent, put, toExamine };
}

describe('OwnerGraph', () => {
  it('asks for nothing about objects without owners, and those that have theirs', () => {
    const { put, toExamine } = world();
    put('o');
    put('d', ['o']);
    put('d', ['o'], { resourceVersion: '2' });
    assert.deepEqual(toExamine(), []);
  });

  it('asks for an object that comes before its owner, and for dependents of one that goes', () => {
    const { graph, absent, put, toExamine } = world();
    put('d', ['o']);
    assert.deepEqual(toExamine(), ['d']);
    put('o');
    put('e', ['o']);
    assert.deepEqual(toExamine(), []);
    graph.forget('o', true);
    assert.deepEqual(toExamine(), ['d', 'e']);
    assert.equal(absent.size, 1);
  });

  it('an object that is only not shown any more is not known to be gone', () => {
    const { graph, absent, put, toExamine } = world();
    put('o');
    put('d', ['o']);
    graph.forget('o', false);
    assert.deepEqual(toExamine(), ['d']);
    assert.equal(absent.size, 0);
  });

  it('asks for an owner that waits, and its dependents; then for the owner with each that goes or lets it go', () => {
    const { graph, put, toExamine } = world();
    put('o');
    put('d', ['o']);
    put('e', ['o']);
    put('o', [], waiting);
    assert.deepEqual(toExamine(), ['d', 'e', 'o']);
    put('o', [], { ...waiting, resourceVersion: '2' });
    toExamine();
    graph.forget('d', true);
    assert.deepEqual(toExamine(), ['o']);
    put('e', ['-o']);
    assert.deepEqual(toExamine(), ['e', 'o']);
  });

  it('owners in other namespaces, of other kinds and other names are not meant', () => {
    const { graph, put } = world();
    const owner = put('o', [], { namespace: 'y' });
    put('d', ['o']);
    assert.deepEqual([...graph.dependentsOf({ kind: 'Box', meta: owner })], []);
    put('o', [], { name: 'p' });
    assert.deepEqual(
      [...graph.dependentsOf({ kind: 'Box', meta: { ...owner, namespace: 'x', name: 'p' } })],
      [],
    );
    assert.deepEqual([...graph.dependentsOf({ kind: 'Crate', meta: { ...owner, namespace: 'x' } })], []);
    const meant = [...graph.dependentsOf({ kind: 'Box', meta: { ...owner, namespace: 'x' } })];
    assert.deepEqual(
      meant.map(({ uid }) => uid),
      ['d'],
    );
  });

  for (const [title, objects, expected] of [
    ['two that wait for each other', { a: ['b'], b: ['a'] }, true],
    ['three in a row that closes', { a: ['c'], b: ['a'], c: ['b'] }, true],
    ['a chain that ends', { a: [], b: ['a'], c: ['b'] }, false],
    ['a circle in which one holds up nobody', { a: ['b'], b: ['-a'] }, false],
    ['itself', { a: ['a'] }, false],
    ['two circles beside each other', { a: [], b: ['a', 'c'], c: ['b'] }, false],
  ] as const) {
    it(`${expected ? 'is' : 'is no'} circle: ${title}`, () => {
      const { graph, put } = world();
      const metas = Object.entries(objects).map(([name, owners]) => put(name, owners, waiting));
      assert.equal(graph.isInCircle({ kind: 'Box', meta: metas[0] ?? {} }), expected);
    });
  }

  it('waits for what goes by itself before it looks for a circle', () => {
    const { graph, put } = world();
    put('d', ['a']);
    const a = put('a', ['b'], waiting);
    put('b', ['a'], waiting);
    assert.equal(graph.isInCircle({ kind: 'Box', meta: a }), false);
    graph.forget('d', true);
    assert.equal(graph.isInCircle({ kind: 'Box', meta: a }), true);
  });

  it('learns from an answer only what informers have not overtaken', () => {
    const { graph, put } = world();
    const first = put('d');
    const answer = { ...first, resourceVersion: '2' };
    put('d', [], { resourceVersion: '3' });
    graph.learn(boxes, first, answer);
    assert.equal(graph.node('d')?.meta.resourceVersion, '3');
    graph.forget('d', true);
    graph.learn(boxes, { ...first, resourceVersion: '3' }, answer);
    assert.equal(graph.node('d'), undefined);
  });
});
