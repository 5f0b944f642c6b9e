import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { writePath } from '../testing/write-path.ts';
import { causes } from '../testing/writes.ts';
import { compositePodGroups } from './composite-pod-group/index.ts';
import { podGroups } from './pod-group/index.ts';
import { workloads } from './workload/index.ts';

const openGates = new Set([
  'CompositePodGroup',
  'DRAWorkloadResourceClaims',
  'PodGroupPreemptionPolicy',
  'TopologyAwareWorkloadScheduling',
]);
const path = writePath(undefined, '1.37', { openGates });
const metadata = { name: 'a', namespace: 'default' };
const basic = { basic: {} };
const gang = { gang: { minCount: 2 } };
const group = (name: string, fields: object = {}): object => ({ name, schedulingPolicy: basic, ...fields });
const workload = (spec: object): object => ({ metadata, spec });
const groups = (...podGroupTemplates: readonly object[]): object => workload({ podGroupTemplates });
const composites = (...compositePodGroupTemplates: readonly object[]): object =>
  workload({ compositePodGroupTemplates });
const nested = (depth: number): object =>
  group(
    `c${depth}`,
    depth === 1 ? { podGroupTemplates: [group('p')] } : { compositePodGroupTemplates: [nested(depth - 1)] },
  );

const at = 'spec.podGroupTemplates[0]';
const atComposite = 'spec.compositePodGroupTemplates[0]';

describe('workloads of release 1.37', () => {
  for (const [title, object, ...expected] of [
    ['with a group', groups(group('a'))],
    ['without groups', groups(), 'FieldValueInvalid spec'],
    [
      'with groups and composite groups',
      workload({ podGroupTemplates: [group('a')], compositePodGroupTemplates: [nested(1)] }),
      'FieldValueInvalid spec',
    ],
    [
      'with two groups of a name',
      groups(group('a'), group('a')),
      'FieldValueDuplicate spec.podGroupTemplates[1]',
    ],
    [
      'without a policy',
      groups(group('a', { schedulingPolicy: {} })),
      `FieldValueInvalid ${at}.schedulingPolicy`,
    ],
    [
      'with two policies',
      groups(group('a', { schedulingPolicy: { ...basic, ...gang } })),
      `FieldValueInvalid ${at}.schedulingPolicy`,
    ],
    [
      'with a gang of nobody',
      groups(group('a', { schedulingPolicy: { gang: {} } })),
      `FieldValueRequired ${at}.schedulingPolicy.gang.minCount`,
    ],
    [
      'with two domains',
      groups(group('a', { schedulingConstraints: { topology: [{ key: 'rack' }, { key: 'hall' }] } })),
      `FieldValueTooMany ${at}.schedulingConstraints.topology`,
    ],
    [
      'with a claim that is neither given nor created',
      groups(group('a', { resourceClaims: [{ name: 'c' }] })),
      `FieldValueInvalid ${at}.resourceClaims[0]`,
    ],
    [
      'with two modes',
      groups(group('a', { disruptionMode: { single: {}, all: {} } })),
      `FieldValueInvalid ${at}.disruptionMode`,
    ],
    [
      'with groups of several priorities',
      groups(group('a', { priority: 1 }), group('b')),
      'FieldValueInvalid spec',
    ],
    ['with groups of groups', composites(nested(3))],
    ['with groups of groups that are too deep', composites(nested(4)), `FieldValueInvalid ${atComposite}`],
    ['with a composite group that is empty', composites(group('c')), `FieldValueInvalid ${atComposite}`],
    [
      'with a name at two levels',
      composites(group('p', { podGroupTemplates: [group('p')] })),
      `FieldValueDuplicate ${atComposite}.podGroupTemplates[0].name`,
    ],
  ] as const)
    it(`the errors of workloads ${title} are reported`, () =>
      assert.deepEqual(causes(path.create(workloads, object)), expected));

  for (const [title, before, after, ...expected] of [
    [
      'the size of a gang changes',
      group('a', { schedulingPolicy: gang }),
      group('a', { schedulingPolicy: { gang: { minCount: 3 } } }),
    ],
    [
      'the policy of a group stays',
      group('a', { schedulingPolicy: gang }),
      group('a'),
      `FieldValueInvalid ${at}.schedulingPolicy.basic`,
      `FieldValueInvalid ${at}.schedulingPolicy.gang`,
    ],
    [
      'groups are not exchanged',
      group('a'),
      group('b'),
      'FieldValueForbidden spec.podGroupTemplates[0]',
      'FieldValueForbidden spec.podGroupTemplates',
    ],
  ] as const)
    it(title, () => {
      const { object: old } = path.create(workloads, groups(before));
      assert.deepEqual(causes(path.update(workloads, old, groups(after))).toSorted(), [...expected].sort());
    });

  it('fields of disabled gates are dropped', () => {
    const { object } = writePath(undefined, '1.37').create(
      workloads,
      groups(group('a', { preemptionPolicy: 'Never', resourceClaims: [{ name: 'c' }] })),
    );
    assert.deepEqual(object['spec'], { podGroupTemplates: [group('a')] });
  });
});

const podGroup = (spec: object): object => ({ metadata, spec: { schedulingPolicy: gang, ...spec } });
const workloadRef = { workloadName: 'w', templateName: 't' };
const shown = (type: typeof podGroups, object: ApiObject) =>
  type.table?.cells(object, path.names).slice(1, 4);
const condition = (type: string, status: string, reason: string): object => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: '2026-05-06T07:08:09Z',
});

describe('groups of pods of release 1.37', () => {
  it('a group is disrupted pod by pod and preempts others by default', () => {
    const { object, errors } = path.create(podGroups, podGroup({}));
    assert.deepEqual(errors, []);
    assert.deepEqual(object['spec'], {
      schedulingPolicy: gang,
      disruptionMode: { single: {} },
      preemptionPolicy: 'PreemptLowerPriority',
    });
  });

  it('a group in another one is created from a template', () =>
    assert.deepEqual(causes(path.create(podGroups, podGroup({ parentCompositePodGroupName: 'p' }))), [
      'FieldValueRequired spec.workloadRef',
    ]));

  it('a group of groups is created from a template', () => {
    const object = { metadata, spec: { schedulingPolicy: { gang: { minGroupCount: 1 } } } };
    assert.deepEqual(causes(path.create(compositePodGroups, object)), [
      'FieldValueRequired spec.workloadRef',
    ]);
  });

  it('statuses of claims belong to claims of the group', () => {
    const { object } = path.create(
      podGroups,
      podGroup({ resourceClaims: [{ name: 'c', resourceClaimName: 'x' }] }),
    );
    const status = { resourceClaimStatuses: [{ name: 'c' }, { name: 'd' }] };
    assert.deepEqual(causes(path.update(podGroups, object, { ...object, status }, 'status')), [
      'FieldValueInvalid status.resourceClaimStatuses[1].name',
    ]);
  });

  it('groups are rows with policy, workload and state', () => {
    const { object } = path.create(podGroups, podGroup({ workloadRef }));
    const withCondition = (...given: readonly object[]) =>
      shown(podGroups, { ...object, status: { conditions: given } })?.[2];
    assert.deepEqual(shown(podGroups, object), ['Gang', 'w', 'Pending']);
    assert.equal(withCondition(condition('PodGroupInitiallyScheduled', 'True', 'Fits')), 'Scheduled');
    assert.equal(withCondition(condition('PodGroupInitiallyScheduled', 'False', 'Full')), 'Unschedulable');
    assert.equal(withCondition(condition('DisruptionTarget', 'True', 'Preempted')), 'Preempted');
  });
});
