import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepFreeze } from '@orch/machinery/json';
import { deckKind } from '../testing/deck.ts';
import { mergeConfiguration } from './merge-configuration.ts';

const shapes = deckKind.shapes('test/v1');
if (shapes === undefined) throw new Error('the kind has a version 1');

const live = deepFreeze({
  metadata: { name: 'a', labels: { a: '1' } },
  spec: {
    replicas: 1,
    containers: [
      { name: 'a', image: 'x', args: ['1'] },
      { name: 'b', image: 'y' },
    ],
    args: ['1'],
    data: { k: 'v' },
  },
});
const { metadata, spec } = live;

const merged = (config: object): unknown => {
  const result = mergeConfiguration(live, { spec: config }, shapes);
  return result.kind === 'merged' ? result.object : result.problem;
};

describe('merged configurations without owners', () => {
  it('fields are set, maps are merged, and items are found by their keys', () => {
    assert.deepEqual(merged({ replicas: 2, data: { l: 'w' }, containers: [{ name: 'b', image: 'z' }] }), {
      metadata,
      spec: {
        ...spec,
        replicas: 2,
        data: { k: 'v', l: 'w' },
        containers: [spec.containers[0], { name: 'b', image: 'z' }],
      },
    });
  });

  it('a configuration without changes leaves the object as it is', () =>
    assert.equal(merged({ replicas: 1 }), live));

  it('items without their keys, unknown fields and values of other types are refused', () => {
    assert.match(String(merged({ containers: [{ image: 'z' }] })), /^spec\.containers\[0\]\.name: /);
    assert.equal(merged({ none: 1 }), 'spec.none: field not declared in schema');
    assert.match(String(merged({ replicas: 'x' })), /^spec\.replicas: /);
  });

  it('values that are replaced as a whole are refused', () => {
    const problem = 'may not mutate atomic arrays, maps or structs: ';
    assert.equal(merged({ args: ['2'] }), `${problem}spec.args`);
    assert.equal(merged({ containers: [{ name: 'a', args: ['2'] }] }), `${problem}spec.containers[0].args`);
    assert.equal(merged({ nodeSelector: { a: 'b' } }), `${problem}spec.nodeSelector`);
  });
});
