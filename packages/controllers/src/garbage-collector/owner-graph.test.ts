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

function fixture() {
  const examined: string[] = [];
  const absent = new AbsentOwners(10);
  const graph = new OwnerGraph({ names: namesFor('orch'), absent, examine: (uid) => examined.push(uid) });
  /** A box whose uid is its name, with owners that it blocks; a `-` before a name means that it does not. */
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
  /** Uids that were requested for examination since the last call. */
  const toExamine = (): readonly string[] => [...new Set(examined.splice(0))].sort();
  return { graph, absent, put, toExamine };
}

describe('the graph of owners', () => {
  it('objects without owners and objects with existing owners are not examined', () => {
    const { put, toExamine } = fixture();
    put('o');
    put('d', ['o']);
    put('d', ['o'], { resourceVersion: '2' });
    assert.deepEqual(toExamine(), []);
  });

  it('an object that is delivered before its owner is examined, and so are the dependents of a deleted owner', () => {
    const { graph, absent, put, toExamine } = fixture();
    put('d', ['o']);
    assert.deepEqual(toExamine(), ['d']);
    put('o');
    put('e', ['o']);
    assert.deepEqual(toExamine(), []);
    graph.forget('o', true);
    assert.deepEqual(toExamine(), ['d', 'e']);
    assert.equal(absent.size, 1);
  });

  it('a graph that begins to report to others tells them every object that needs an examination', () => {
    const { graph, absent, put, toExamine } = fixture();
    put('o');
    put('d', ['o']);
    put('e', ['gone']);
    put('w', [], waiting);
    toExamine();
    const later: string[] = [];
    const ownersOfLater = new AbsentOwners(10);
    graph.reportTo({ absent: ownersOfLater, examine: (uid) => later.push(uid) });
    assert.deepEqual(later.splice(0), ['e', 'w']);
    graph.forget('o', true);
    assert.deepEqual(later, ['d']);
    assert.deepEqual([absent.size, ownersOfLater.size, toExamine()], [0, 1, []]);
  });

  it('objects with an unobserved owner of a kind are examined when that kind was read', () => {
    const { graph, put, toExamine } = fixture();
    put('o');
    put('d', ['o']);
    put('e', ['lost']);
    toExamine();
    graph.examineUnobserved('Crate');
    assert.deepEqual(toExamine(), []);
    graph.examineUnobserved('Box');
    assert.deepEqual(toExamine(), ['e']);
  });

  it('an object that a list lacks does not count as absent', () => {
    const { graph, absent, put, toExamine } = fixture();
    put('o');
    put('d', ['o']);
    graph.forget('o', false);
    assert.deepEqual(toExamine(), ['d']);
    assert.equal(absent.size, 0);
  });

  it('a waiting owner and its dependents are examined, and the owner again with each dependent that is deleted or stops blocking', () => {
    const { graph, put, toExamine } = fixture();
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

  it('references with another namespace, kind or name are not to the owner', () => {
    const { graph, put } = fixture();
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
    ['two objects that block each other', { a: ['b'], b: ['a'] }, true],
    ['three objects that block each other', { a: ['c'], b: ['a'], c: ['b'] }, true],
    ['a chain without a cycle', { a: [], b: ['a'], c: ['b'] }, false],
    ['two objects of which one does not block', { a: ['b'], b: ['-a'] }, false],
    ['an object that owns itself', { a: ['a'] }, false],
    ['an owner outside of a cycle', { a: [], b: ['a', 'c'], c: ['b'] }, false],
  ] as const) {
    it(`${title}: the first object is ${expected ? '' : 'not '}in a cycle`, () => {
      const { graph, put } = fixture();
      const metas = Object.entries(objects).map(([name, owners]) => put(name, owners, waiting));
      assert.equal(graph.isInCycle({ kind: 'Box', meta: metas[0] ?? {} }), expected);
    });
  }

  it('an owner with a dependent outside of the cycle does not count as in a cycle', () => {
    const { graph, put } = fixture();
    put('d', ['a']);
    const a = put('a', ['b'], waiting);
    put('b', ['a'], waiting);
    assert.equal(graph.isInCycle({ kind: 'Box', meta: a }), false);
    graph.forget('d', true);
    assert.equal(graph.isInCycle({ kind: 'Box', meta: a }), true);
  });

  it('a response is applied only when the informer has delivered nothing newer', () => {
    const { graph, put } = fixture();
    const first = put('d');
    const answer = { ...first, resourceVersion: '2' };
    put('d', [], { resourceVersion: '3' });
    graph.applyResponse(boxes, first, answer);
    assert.equal(graph.node('d')?.meta.resourceVersion, '3');
    graph.forget('d', true);
    graph.applyResponse(boxes, { ...first, resourceVersion: '3' }, answer);
    assert.equal(graph.node('d'), undefined);
  });
});
