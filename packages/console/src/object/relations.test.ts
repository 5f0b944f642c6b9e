import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outline } from './read-metadata.ts';
import { ownerGraph } from './relations.ts';

const resource: Outline['resource'] = {
  ...{ group: '', version: 'v1', resource: 'things', kind: 'Thing', singular: 'thing' },
  ...{ namespaced: true, verbs: [], shortNames: [], categories: [], subresources: [] },
};

/** An object whose uid is its name. */
const thing = (name: string, ...owners: readonly string[]): Outline => ({
  resource,
  metadata: {
    ...{ name, uid: name },
    ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'Thing', name: owner, uid: owner })),
  },
});

const shape = (object: Outline, others: readonly Outline[]) => {
  const { nodes, edges } = ownerGraph(object, others);
  return {
    nodes: nodes.map(({ name, depth, place }) => `${name} ${depth} ${place}`).sort(),
    edges: edges.map((edge) => edge.join(' > ')).sort(),
  };
};

describe('the graph of owners and dependents', () => {
  it('the graph has all generations above and below an object, and no others', () => {
    const middle = thing('b', 'a');
    const others = [thing('a'), middle, thing('c', 'b'), thing('d', 'b'), thing('e', 'c'), thing('x', 'a')];
    assert.deepEqual(shape(middle, others), {
      nodes: ['a -1 0', 'b 0 0', 'c 1 0', 'd 1 1', 'e 2 0'],
      edges: ['a > b', 'b > c', 'b > d', 'c > e'],
    });
  });

  it('an owner that was not found is a node without an object', () => {
    const { nodes } = ownerGraph(thing('b', 'gone'), []);
    assert.deepEqual(
      nodes.map(({ name, outline }) => [name, outline === undefined]),
      [
        ['b', false],
        ['gone', true],
      ],
    );
  });

  it('an object with two owners is one node with two edges', () => {
    const root = thing('a');
    assert.deepEqual(shape(root, [thing('b', 'a'), thing('c', 'a'), thing('d', 'b', 'c')]), {
      nodes: ['a 0 0', 'b 1 0', 'c 1 1', 'd 2 0'],
      edges: ['a > b', 'a > c', 'b > d', 'c > d'],
    });
  });

  it('a circle of owners ends', () => {
    assert.deepEqual(shape(thing('a', 'b'), [thing('b', 'a')]).nodes, ['a 0 0', 'b 1 0']);
  });

  it('a graph of a thousand dependents is cut and says so', () => {
    const many = Array.from({ length: 1000 }, (_, place) => thing(`d${place}`, 'a'));
    const { nodes, edges, isCut } = ownerGraph(thing('a'), many);
    assert.deepEqual([nodes.length, edges.length, isCut], [120, 119, true]);
  });
});
