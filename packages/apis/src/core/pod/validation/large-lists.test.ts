import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@orch/kinds/core';
import { namesFor } from '@orch/machinery';
import { writePath } from '../../../testing/write-path.ts';
import { pods } from '../index.ts';

const path = writePath(namesFor('orch'), '1.27');

const podOf = (tolerations: number): Pod =>
  ({
    metadata: { name: 'a', namespace: 'default' },
    spec: {
      containers: [{ name: 'a', image: 'a' }],
      tolerations: Array.from({ length: tolerations }, (_, i) => ({ key: `n${i}`, operator: 'Exists' })),
    },
  }) as Pod;

/** The lowest CPU time of several updates that change a label only, ms. */
function cpuOf(tolerations: number): number {
  const { object } = path.create(pods, podOf(tolerations));
  const next = { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } };
  const costs = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    assert.deepEqual(path.update(pods, object, next).problems, []);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

describe('an update of a pod with long lists', () => {
  it('the update of a pod costs CPU in proportion to its tolerations', () => {
    const [few, many] = [cpuOf(1_000), cpuOf(8_000)];
    // Eight times as many; each toleration beside each earlier one would cost 64 times as much.
    assert.ok(many < 30 * Math.max(few, 1), `${few} ms and ${many} ms`);
  });
});
