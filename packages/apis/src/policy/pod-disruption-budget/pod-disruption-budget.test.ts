import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { setPath } from '../../testing/set-path.ts';
import { writePath } from '../../testing/write-path.ts';
import { podDisruptionBudgets as type } from './index.ts';

const v1 = writePath(undefined, '1.24', { version: 'policy/v1' });
const v1beta1 = writePath(undefined, '1.24', { version: 'policy/v1beta1' });

const input = (selector?: object): object => ({
  metadata: { name: 'x' },
  spec: { minAvailable: 1, ...(selector === undefined ? {} : { selector }) },
});

const selectorOf = (object: ApiObject): unknown => (object['spec'] as Record<string, unknown>)['selector'];

/** Reports whether a selector of the hub matches pods with these labels. */
const covers = (selector: unknown, labels: Record<string, string> = { a: 'b' }): boolean =>
  labelSelectorFromObject(selector as object | undefined).matches(labels);

describe('empty selectors of budgets', () => {
  it('empty selectors of budgets of v1beta1 cover nothing, also in v1', () => {
    const { object } = v1beta1.create(type, input({}));
    assert.equal(covers(selectorOf(object)), false);
    assert.equal(covers(selectorOf(object), {}), false);
    assert.deepEqual(selectorOf(v1beta1.show(type, object)), {});
  });

  it('empty selectors of budgets of v1 select all pods, and have an explicit selector in v1beta1', () => {
    const { object } = v1.create(type, input({}));
    assert.equal(covers(selectorOf(object)), true);
    const older = v1beta1.show(type, object);
    assert.deepEqual(selectorOf(older), {
      matchExpressions: [
        { key: 'pdb.orch.io/deprecated-v1beta1-empty-selector-match', operator: 'DoesNotExist' },
      ],
    });
    assert.deepEqual(selectorOf(v1beta1.update(type, object, older).object), {});
  });

  it('empty selectors of budgets that are not there cover nothing in both', () => {
    for (const path of [v1, v1beta1]) {
      const { object } = path.create(type, input());
      assert.equal(covers(selectorOf(object)), false);
      assert.equal(selectorOf(path.show(type, object)), undefined);
    }
  });

  it('empty selectors of budgets are no matter of others', () => {
    const selector = { matchLabels: { a: 'b' } };
    const { object } = v1beta1.create(type, input(selector));
    assert.deepEqual(selectorOf(object), selector);
    assert.deepEqual(selectorOf(v1beta1.show(type, object)), selector);
    assert.equal(object.metadata.annotations, undefined);
  });

  it('selectors of budgets that are written as a condition on the reserved label mean the same in both versions', () => {
    const key = 'pdb.orch.io/deprecated-v1beta1-empty-selector-match';
    const exists = { matchExpressions: [{ key, operator: 'Exists' }] };
    const { object } = v1beta1.create(type, input(exists));
    assert.equal(covers(selectorOf(object)), false);
    assert.deepEqual(selectorOf(v1beta1.show(type, object)), exists);
  });
});

describe('pod disruption budgets', () => {
  const { object: stored } = v1.create(type, input({}));
  const edited = (set: Readonly<Record<string, unknown>>): ApiObject => {
    const next = cloneJson(stored);
    for (const [at, value] of Object.entries(set)) setPath(next, at, value);
    return next;
  };

  it('budgets write their status through its subresource only', () => {
    const next = edited({ 'status.disruptionsAllowed': 3, 'spec.minAvailable': 5 });
    assert.deepEqual(v1.update(type, stored, next).object['status'], stored['status']);
    const { object } = v1.update(type, stored, next, 'status');
    assert.deepEqual(object['spec'], stored['spec']);
    assert.equal((object['status'] as Record<string, unknown>)['disruptionsAllowed'], 3);
  });

  it('budgets count no fewer than none', () => {
    const next = edited({ 'status.disruptionsAllowed': -1, 'status.expectedPods': -1 });
    assert.deepEqual(
      v1.update(type, stored, next, 'status').errors.map(({ field }) => field),
      ['status.disruptionsAllowed', 'status.expectedPods'],
    );
  });

  it('budgets have a policy for unhealthy pods from 1.27 on, or with the gate', () => {
    const object = { ...input({}), spec: { minAvailable: 1, unhealthyPodEvictionPolicy: 'Never' } };
    const errors = (release: string, gates: readonly string[] = []): unknown =>
      writePath(undefined, release, { openGates: new Set(gates) })
        .create(type, object)
        .errors.map(({ field }) => field);
    assert.deepEqual(
      [errors('1.26'), errors('1.26', ['PDBUnhealthyPodEvictionPolicy']), errors('1.27')],
      [[], ['spec.unhealthyPodEvictionPolicy'], ['spec.unhealthyPodEvictionPolicy']],
    );
  });

  it('budgets are shown with their bounds', () => {
    const creationTimestamp = '2024-01-01T00:00:00Z';
    const row = (spec: object): unknown =>
      type.table?.cells(
        { metadata: { name: 'x', creationTimestamp }, spec, status: { disruptionsAllowed: 2 } },
        namesFor('orch'),
      );
    const age = { age: creationTimestamp };
    assert.deepEqual(row({ minAvailable: 1 }), ['x', '1', 'N/A', 2, age]);
    assert.deepEqual(row({ maxUnavailable: '0%' }), ['x', 'N/A', '0%', 2, age]);
  });
});
