import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { writePath } from '../../testing/write-path.ts';
import { namespaces } from './index.ts';

for (const [naming, finalizer, label] of [
  ['orch', 'orch', 'orch.io/metadata.name'],
  ['kubernetes', 'kubernetes', 'kubernetes.io/metadata.name'],
] as const) {
  describe(`namespaces, with the names of ${naming}`, () => {
    const path = writePath(namesFor(naming));
    const { object: stored } = path.create(namespaces, {
      metadata: { name: 'n' },
      status: { phase: 'Terminating' },
    });

    it(`namespaces, with the names of ${naming} begin active, with the finalizer of the server and a label of their name`, () => {
      assert.deepEqual(stored['spec'], { finalizers: [finalizer] });
      assert.deepEqual(stored['status'], { phase: 'Active' });
      assert.deepEqual(stored.metadata.labels, { [label]: 'n' });
      assert.deepEqual(namespaces.strategy.ownFinalizers?.(stored), [finalizer]);
    });

    it(`namespaces, with the names of ${naming} keep label, finalizers and status through every write`, () => {
      const input = {
        metadata: { name: 'n', labels: { [label]: 'other', a: 'b' } },
        spec: { finalizers: [] },
      };
      const { object, errors } = path.update(namespaces, stored, input);
      assert.deepEqual(errors, []);
      assert.deepEqual(object.metadata.labels, { [label]: 'n', a: 'b' });
      assert.deepEqual([object['spec'], object['status']], [stored['spec'], stored['status']]);
    });

    it(`namespaces, with the names of ${naming} lose finalizers through finalize only`, () => {
      const input = { ...cloneJson(stored), spec: {}, status: { phase: 'Terminating' } };
      const { object, errors } = path.update(namespaces, stored, input, 'finalize');
      assert.deepEqual(errors, []);
      assert.deepEqual(namespaces.strategy.ownFinalizers?.(object), []);
      assert.deepEqual(object['status'], { phase: 'Active' });
    });

    it(`namespaces, with the names of ${naming} have a phase that fits their state`, () => {
      const phase = (value: string, deleted: boolean) => {
        const old = cloneJson(stored);
        if (deleted) old.metadata.deletionTimestamp = '2024-01-01T00:00:00Z';
        const input = { ...cloneJson(old), status: { phase: value } };
        return path.update(namespaces, old, input, 'status').errors.map(({ field }) => field);
      };
      assert.deepEqual([phase('Active', false), phase('Terminating', true)], [[], []]);
      assert.deepEqual(
        [phase('Terminating', false), phase('Active', true)],
        [['status.Phase'], ['status.Phase']],
      );
    });

    it(`namespaces, with the names of ${naming} are terminating once they are deleted`, () => {
      const object = cloneJson(stored);
      namespaces.strategy.prepareForDelete?.(object, path.context);
      assert.deepEqual(object['status'], { phase: 'Terminating' });
    });
  });
}
