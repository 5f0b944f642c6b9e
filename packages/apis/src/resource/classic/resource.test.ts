import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson, statusOf } from '@orch/machinery/json';
import type { ResourceType } from '../../resource-type.ts';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { podSchedulings } from './pod-scheduling.ts';
import { podSchedulingContexts } from './pod-scheduling-context.ts';
import { classicResourceClaims } from './resource-claim/index.ts';
import { resourceClaimLens } from './resource-claim/v1alpha1.ts';
import { classicResourceClaimTemplates } from './resource-claim-template.ts';
import { resourceClasses } from './resource-class.ts';

const names = namesFor('orch');
const path = writePath(undefined, '1.27');
const create = (type: ResourceType, rest: Readonly<Record<string, unknown>>) =>
  path.create(type, { metadata: { name: 'x' }, ...rest });
const cells = (type: ResourceType, object: ApiObject): unknown =>
  type.table?.cells(object, names).slice(1, -1);

const { object: claim } = create(classicResourceClaims, { spec: { resourceClassName: 'gpu' } });
const consumer = (uid: string): unknown => ({ resource: 'pods', name: `p${uid}`, uid });
const allocation = { resourceHandles: [{ driverName: 'd.io', data: 'x' }] };
const status = (old: ApiObject, set: Readonly<Record<string, unknown>>) =>
  path.update(classicResourceClaims, old, edited(old, set), 'status');
const { object: allocated } = status(claim, { 'status.driverName': 'd.io', 'status.allocation': allocation });
const { object: reserved } = status(allocated, { 'status.reservedFor': [consumer('1')] });

describe('resource claims', () => {
  it('resource claims wait for a pod by default', () =>
    assert.deepEqual(claim['spec'], { resourceClassName: 'gpu', allocationMode: 'WaitForFirstConsumer' }));

  it('the spec of resource claims is immutable', () => {
    const next = edited(claim, { 'spec.resourceClassName': 'tpu' });
    assert.deepEqual(causes(path.update(classicResourceClaims, claim, next)), ['FieldValueInvalid spec']);
  });

  for (const [title, old, set, ...errors] of [
    [
      'an allocation without a driver',
      claim,
      { 'status.allocation': {} },
      'FieldValueRequired status.driverName',
    ],
    [
      'a reservation of nothing',
      claim,
      { 'status.reservedFor': [consumer('1')] },
      'FieldValueForbidden status.reservedFor',
    ],
    ['one reservation', allocated, { 'status.reservedFor': [consumer('1')] }],
    [
      'two of what is not shared',
      allocated,
      { 'status.reservedFor': [consumer('1'), consumer('2')] },
      'FieldValueForbidden status.reservedFor',
    ],
    [
      'the same twice',
      allocated,
      { 'status.reservedFor': [consumer('1'), consumer('1')] },
      'FieldValueDuplicate status.reservedFor[1].uid',
    ],
    [
      'another allocation',
      allocated,
      { 'status.allocation.resourceHandles': [] },
      'FieldValueInvalid status.allocation',
    ],
    ['giving it back', allocated, { 'status.allocation': undefined }],
    [
      'a request to release an allocation in use',
      reserved,
      { 'status.deallocationRequested': true },
      'FieldValueForbidden status.deallocationRequested',
    ],
    ['a request to release an unused allocation', allocated, { 'status.deallocationRequested': true }],
    [
      'a request to release without an allocation',
      claim,
      { 'status.deallocationRequested': true },
      'FieldValueForbidden status.deallocationRequested',
    ],
    [
      'a reservation of what is given back',
      status(allocated, { 'status.deallocationRequested': true }).object,
      { 'status.reservedFor': [consumer('1')] },
      'FieldValueForbidden status.reservedFor',
    ],
    [
      'too much for a handle',
      claim,
      {
        'status.driverName': 'd.io',
        'status.allocation': { resourceHandles: [{ data: 'x'.repeat(16_385) }] },
      },
      'FieldValueTooLong status.allocation.resourceHandles[0].data',
    ],
  ] as const) {
    it(`resource claims: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(status(old, set)), errors));
  }

  it('the table of resource claims shows their state', () => {
    const deleted = edited(claim, { 'metadata.deletionTimestamp': '2024-01-01T00:00:00Z' });
    assert.deepEqual(
      [claim, allocated, reserved, deleted].map((one) => cells(classicResourceClaims, one)),
      ['pending', 'allocated', 'allocated,reserved', 'deleted'].map((state) => [
        'gpu',
        'WaitForFirstConsumer',
        state,
      ]),
    );
  });
});

describe('resource claims of the first version', () => {
  const through = (object: ApiObject): ApiObject => {
    resourceClaimLens.fromHub(object, { names, root: object });
    return object;
  };
  const back = (object: ApiObject): ApiObject => {
    resourceClaimLens.toHub(object, { names, root: object });
    return object;
  };
  const withHandles = (resourceHandles: readonly unknown[]): ApiObject =>
    ({ metadata: {}, status: { allocation: { resourceHandles, shareable: true } } }) as unknown as ApiObject;

  it('resource claims of the first version have one handle without a driver', () => {
    const older = through(withHandles([{ data: 'x' }]));
    assert.deepEqual(older, {
      metadata: {},
      status: { allocation: { shareable: true, resourceHandle: 'x' } },
    });
    assert.deepEqual(back(older), withHandles([{ data: 'x' }]));
  });

  it('resource claims of the first version keep further handles, and drivers, in an annotation, and changes of the one handle count', () => {
    const several = withHandles([
      { driverName: 'a.io', data: 'x' },
      { driverName: 'b.io', data: 'y' },
    ]);
    const older = through(cloneJson(several));
    assert.equal((statusOf(older)['allocation'] as Record<string, unknown>)['resourceHandle'], 'x');
    assert.deepEqual(back(cloneJson(older)), several);
    const changed = edited(older, { 'status.allocation.resourceHandle': 'z' });
    assert.deepEqual(
      back(changed),
      withHandles([
        { driverName: 'a.io', data: 'z' },
        { driverName: 'b.io', data: 'y' },
      ]),
    );
  });

  it('resource claims of the first version ignore an annotation without a valid value', () => {
    const object = {
      metadata: { annotations: { [names.annotations.resourceHandles]: '{"a":1}' } },
      status: { allocation: { resourceHandle: 'x' } },
    };
    assert.deepEqual(statusOf(back(object as unknown as ApiObject))['allocation'], {
      resourceHandles: [{ data: 'x' }],
    });
  });
});

describe('kinds of the resource group', () => {
  for (const [title, type, rest, ...errors] of [
    [
      'a class',
      resourceClasses,
      { driverName: 'd.io', parametersRef: { kind: 'K', name: 'n', namespace: 'm' } },
    ],
    [
      'a class without a driver',
      resourceClasses,
      {},
      'FieldValueRequired driverName',
      'FieldValueInvalid driverName',
    ],
    ['a class whose driver is not in lower case', resourceClasses, { driverName: 'D.io' }],
    [
      'a class with half a reference',
      resourceClasses,
      { driverName: 'd.io', parametersRef: { apiGroup: 'A' } },
      'FieldValueRequired parametersRef.kind',
      'FieldValueRequired parametersRef.name',
    ],
    [
      'a class for no nodes',
      resourceClasses,
      { driverName: 'd.io', suitableNodes: {} },
      'FieldValueRequired suitableNodes.nodeSelectorTerms',
    ],
    ['a template', classicResourceClaimTemplates, { spec: { spec: { resourceClassName: 'gpu' } } }],
    [
      'a template without a class',
      classicResourceClaimTemplates,
      { spec: { spec: {} } },
      'FieldValueInvalid spec.spec.resourceClassName',
    ],
    [
      'a claim in an unknown mode',
      classicResourceClaims,
      { spec: { resourceClassName: 'gpu', allocationMode: 'Never' } },
      'FieldValueNotSupported spec.allocationMode',
    ],
    ['a context', podSchedulingContexts, { spec: { selectedNode: 'n', potentialNodes: ['n', 'o'] } }],
    [
      'a context with a node twice',
      podSchedulingContexts,
      { spec: { potentialNodes: ['n', 'n'] } },
      'FieldValueDuplicate spec.potentialNodes[1]',
    ],
    [
      'a context with a node that has no name of one',
      podSchedulingContexts,
      { spec: { potentialNodes: ['a_b'] } },
      'FieldValueInvalid spec.potentialNodes[0]',
    ],
    [
      'a context with too many nodes',
      podSchedulingContexts,
      { spec: { potentialNodes: Array.from({ length: 129 }, (_, i) => `n${i}`) } },
      'FieldValueTooMany spec.potentialNodes',
    ],
  ] as const) {
    it(`kinds of the resource group: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(create(type, rest)), errors));
  }

  it('resource claim templates cannot change', () => {
    const { object } = create(classicResourceClaimTemplates, {
      spec: { spec: { resourceClassName: 'gpu' } },
    });
    const next = edited(object, { 'spec.spec.resourceClassName': 'tpu' });
    assert.deepEqual(causes(path.update(classicResourceClaimTemplates, object, next)), [
      'FieldValueInvalid spec',
    ]);
    assert.deepEqual(cells(classicResourceClaimTemplates, object), ['gpu', 'WaitForFirstConsumer']);
  });

  it('the first name of scheduling contexts points to the second', () => {
    const [first] = podSchedulings.versions;
    assert.deepEqual(first?.replacement, {
      group: 'resource',
      version: 'v1alpha2',
      kind: 'PodSchedulingContext',
    });
    const written = writePath(undefined, '1.26').create(podSchedulings, {
      metadata: { name: 'x' },
      spec: { selectedNode: 'n' },
    });
    assert.deepEqual([causes(written), cells(podSchedulings, written.object)], [[], ['n']]);
  });
});
