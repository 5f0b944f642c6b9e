import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { deviceClasses } from './device-class/index.ts';
import { deviceTaintRules } from './device-taint-rule/index.ts';
import { resourceClaims } from './resource-claim/index.ts';
import { resourceClaimTemplates } from './resource-claim-template/index.ts';
import { resourceSlices } from './resource-slice/index.ts';

const path = writePath(undefined, '1.36');
type Rest = Readonly<Record<string, unknown>>;
const create = (type: ResourceType, spec: Rest) => path.create(type, { metadata: { name: 'x' }, spec });

const exactly = { deviceClassName: 'gpu' };
const gpu = { name: 'gpu', exactly };
const claimOf = (devices: Rest) => create(resourceClaims, { devices });
const requesting = (fields: Rest) =>
  claimOf({ requests: [{ name: 'gpu', exactly: { ...exactly, ...fields } }] });
const selecting = (expression: string) => requesting({ selectors: [{ cel: { expression } }] });
const opaque = { driver: 'gpu.example.com', parameters: { mode: 'fast' } };
const at = 'spec.devices.requests[0]';

describe('claims of devices', () => {
  it('an update of a claim refuses another specification, whose own errors it does not report', () => {
    const { object } = claimOf({ requests: [gpu] });
    const next = edited(object, { 'spec.devices.requests': [{}] });
    assert.deepEqual(causes(path.update(resourceClaims, object, next)), ['FieldValueInvalid spec']);
  });

  for (const [title, written, ...errors] of [
    ['nothing', claimOf({})],
    ['devices of a class', claimOf({ requests: [gpu] })],
    ['a request for nothing', claimOf({ requests: [{ name: 'gpu' }] }), `FieldValueRequired ${at}`],
    [
      'one class and alternatives',
      claimOf({ requests: [{ ...gpu, firstAvailable: [{ name: 'a', ...exactly }] }] }),
      `FieldValueInvalid ${at}`,
    ],
    ['devices without a name', claimOf({ requests: [{ exactly }] }), `FieldValueInvalid ${at}.name`],
    [
      'two requests of one name',
      claimOf({ requests: [gpu, gpu] }),
      'FieldValueDuplicate spec.devices.requests[1]',
    ],
    ['no class', requesting({ deviceClassName: '' }), `FieldValueRequired ${at}.exactly.deviceClassName`],
    [
      'all devices, and how many',
      requesting({ allocationMode: 'All', count: 2 }),
      `FieldValueInvalid ${at}.exactly.count`,
    ],
    ['fewer than no devices', requesting({ count: -1 }), `FieldValueInvalid ${at}.exactly.count`],
    [
      'an unknown mode',
      requesting({ allocationMode: 'Some' }),
      `FieldValueNotSupported ${at}.exactly.allocationMode`,
    ],
    [
      'a toleration of a value that says that any is tolerated',
      requesting({ tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
      `FieldValueInvalid ${at}.exactly.tolerations[0].value`,
    ],
    ['an expression about attributes', selecting('device.attributes["gpu.example.com"].memory > 4')],
    [
      'an expression about capacities',
      selecting('device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("4Gi"))'),
    ],
    [
      'an expression about versions',
      selecting('device.attributes["gpu.example.com"].driver.isLessThan(semver("1.2.3"))'),
    ],
    [
      'an expression that binds a name',
      selecting('cel.bind(gpu, device.attributes["gpu.example.com"], gpu.shared && gpu.fast)'),
    ],
    ['an attribute as the result', selecting('device.attributes["gpu.example.com"].shared')],
    [
      'an expression that is not a condition',
      selecting('device.driver'),
      `FieldValueInvalid ${at}.exactly.selectors[0].cel.expression`,
    ],
    [
      'an expression about an unknown field',
      selecting('device.name == "a"'),
      `FieldValueInvalid ${at}.exactly.selectors[0].cel.expression`,
    ],
    [
      'an expression that may take too long',
      selecting(
        'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a + b == c + d))))',
      ),
      `FieldValueForbidden ${at}.exactly.selectors[0].cel.expression`,
    ],
    [
      'an expression that is too long',
      selecting(`device.driver == "${'x'.repeat(10_240)}"`),
      `FieldValueTooLong ${at}.exactly.selectors[0].cel.expression`,
    ],
    [
      'a selector without an expression',
      requesting({ selectors: [{}] }),
      `FieldValueRequired ${at}.exactly.selectors[0].cel`,
    ],
    [
      'a condition on an unknown request',
      claimOf({ requests: [gpu], constraints: [{ requests: ['tpu'], matchAttribute: 'example.com/numa' }] }),
      'FieldValueInvalid spec.devices.constraints[0].requests[0]',
    ],
    [
      'a condition on an alternative',
      claimOf({
        requests: [{ name: 'gpu', firstAvailable: [{ name: 'large', ...exactly }] }],
        constraints: [{ requests: ['gpu/large'], matchAttribute: 'example.com/numa' }],
      }),
    ],
    [
      'a condition on an attribute without a domain',
      claimOf({ requests: [gpu], constraints: [{ matchAttribute: 'numa' }] }),
      'FieldValueInvalid spec.devices.constraints[0].matchAttribute',
    ],
    ['a configuration', claimOf({ requests: [gpu], config: [{ requests: ['gpu'], opaque }] })],
    [
      'an empty configuration',
      claimOf({ requests: [gpu], config: [{}] }),
      'FieldValueRequired spec.devices.config[0].opaque',
    ],
    [
      'a configuration without parameters',
      claimOf({ requests: [gpu], config: [{ opaque: { driver: 'A_B' } }] }),
      'FieldValueInvalid spec.devices.config[0].opaque.driver',
      'FieldValueRequired spec.devices.config[0].opaque.parameters',
    ],
  ] as const)
    it(`a claim of ${title} is ${errors.length === 0 ? 'valid' : 'invalid'}`, () =>
      assert.deepEqual(causes(written), errors));

  it('a claim is for one device unless it says how many', () =>
    assert.deepEqual(claimOf({ requests: [gpu] }).object['spec'], {
      devices: {
        requests: [{ name: 'gpu', exactly: { ...exactly, allocationMode: 'ExactCount', count: 1 } }],
      },
    }));

  it('templates give labels and annotations to their claims, and no other metadata', () => {
    const template = (metadata: Rest) => causes(create(resourceClaimTemplates, { metadata, spec: {} }));
    const labelled = { labels: { a: 'b' }, annotations: { a: 'b' } };
    assert.deepEqual(template(labelled), []);
    assert.deepEqual(template({ ...labelled, name: 'a', uid: 'b', finalizers: ['a/b'] }).toSorted(), [
      'FieldValueForbidden spec.metadata.finalizers',
      'FieldValueForbidden spec.metadata.name',
      'FieldValueForbidden spec.metadata.uID',
    ]);
  });

  it('claims and their templates do not change', () => {
    const { object: claim } = claimOf({ requests: [gpu] });
    const other = edited(claim, { 'spec.devices.requests': [] });
    assert.deepEqual(causes(path.update(resourceClaims, claim, other)), ['FieldValueInvalid spec']);
    const { object: template } = create(resourceClaimTemplates, { spec: { devices: { requests: [gpu] } } });
    const next = edited(template, { 'spec.spec.devices.requests': [] });
    assert.deepEqual(causes(path.update(resourceClaimTemplates, template, next)), ['FieldValueInvalid spec']);
  });
});

const result = { request: 'gpu', driver: 'gpu.example.com', pool: 'node-1', device: 'gpu-0' };
const consumer = { resource: 'pods', name: 'a', uid: '1' };
const { object: claim } = claimOf({ requests: [gpu] });
const status = (old: ApiObject, set: Rest) => path.update(resourceClaims, old, edited(old, set), 'status');
const allocation = { devices: { results: [result] } };
const { object: allocated } = status(claim, { 'status.allocation': allocation });
const report = { driver: 'gpu.example.com', pool: 'node-1', device: 'gpu-0', conditions: null };

describe('allocations of claims', () => {
  for (const [title, written, ...errors] of [
    ['an allocated device', status(claim, { 'status.allocation': allocation })],
    [
      'a device for an unknown request',
      status(claim, { 'status.allocation': { devices: { results: [{ ...result, request: 'tpu' }] } } }),
      'FieldValueInvalid status.allocation.devices.results[0].request',
    ],
    [
      'a device without a pool',
      status(claim, { 'status.allocation': { devices: { results: [{ ...result, pool: '' }] } } }),
      'FieldValueRequired status.allocation.devices.results[0].pool',
    ],
    [
      'another device instead',
      status(allocated, { 'status.allocation.devices.results[0].device': 'gpu-1' }),
      'FieldValueInvalid status.allocation',
    ],
    ['a consumer', status(allocated, { 'status.reservedFor': [consumer] })],
    [
      'a consumer of nothing',
      status(claim, { 'status.reservedFor': [consumer] }),
      'FieldValueForbidden status.reservedFor',
    ],
    ['a report about its device', status(allocated, { 'status.devices': [report] })],
    [
      'a report about another device',
      status(allocated, { 'status.devices': [{ ...report, device: 'gpu-1' }] }),
      'FieldValueInvalid status.devices[0]',
    ],
    [
      'an address that is none',
      status(allocated, {
        'status.devices': [{ ...report, networkData: { ips: ['192.0.2.5/24', '192.0.2.5'] } }],
      }),
      'FieldValueInvalid status.devices[0].networkData.ips[1]',
    ],
  ] as const)
    it(`a status with ${title} is ${errors.length === 0 ? 'valid' : 'invalid'}`, () =>
      assert.deepEqual(causes(written), errors));

  it('status reports about a device are removed with its allocation', () => {
    const { object } = status(allocated, { 'status.devices': [report] });
    const released = status(object, { 'status.allocation': undefined });
    assert.deepEqual([causes(released), released.object['status']], [[], {}]);
  });

  it('tables of claims show their state', () => {
    const reserved = status(allocated, { 'status.reservedFor': [consumer] }).object;
    const deleted = edited(claim, { 'metadata.deletionTimestamp': '2024-01-01T00:00:00Z' });
    assert.deepEqual(
      [claim, allocated, reserved, deleted].map(
        (one) => resourceClaims.table?.cells(one, namesFor('orch'))[1],
      ),
      ['pending', 'allocated', 'allocated,reserved', 'deleted'],
    );
  });
});

const pool = { name: 'node-1', generation: 1, resourceSliceCount: 1 };
const sliceOf = (fields: Rest) =>
  create(resourceSlices, { driver: 'gpu.example.com', pool, nodeName: 'node-1', ...fields });
const deviceOf = (fields: Rest, slice: Rest = {}) =>
  sliceOf({ devices: [{ name: 'gpu-0', ...fields }], ...slice });
const memory = (requestPolicy: Rest) => ({ memory: { value: '10Gi', requestPolicy } });

describe('slices of devices', () => {
  for (const [title, written, ...errors] of [
    ['without devices', sliceOf({})],
    ['for no node', sliceOf({ nodeName: undefined }), 'FieldValueRequired spec'],
    ['for one node and all', sliceOf({ allNodes: true }), 'FieldValueInvalid spec'],
    [
      'of a pool without slices',
      sliceOf({ pool: { name: '' } }),
      'FieldValueInvalid spec.pool.resourceSliceCount',
      'FieldValueRequired spec.pool.name',
    ],
    [
      'with attributes',
      deviceOf({ attributes: { model: { string: 'a' }, 'gpu.example.com/version': { version: '1.2.3' } } }),
    ],
    [
      'with an attribute of two types',
      deviceOf({ attributes: { model: { string: 'a', int: 1 } } }),
      'FieldValueInvalid spec.devices[0].attributes[model]',
    ],
    [
      'with an attribute whose version is none',
      deviceOf({ attributes: { model: { version: 'v1' } } }),
      'FieldValueInvalid spec.devices[0].attributes[model].version',
    ],
    [
      'with an attribute whose name is none',
      deviceOf({ attributes: { 'a-b': { int: 1 } } }),
      'FieldValueInvalid spec.devices[0].attributes',
    ],
    [
      'with two devices of one name',
      sliceOf({ devices: [{ name: 'a' }, { name: 'a' }] }),
      'FieldValueDuplicate spec.devices[1]',
    ],
    [
      'with too many devices',
      sliceOf({ devices: Array.from({ length: 129 }, (_, i) => ({ name: `gpu-${i}` })) }),
      'FieldValueTooMany spec.devices',
    ],
    ['whose device names a node', deviceOf({ nodeName: 'node-1' }), 'FieldValueInvalid spec.devices[0]'],
    [
      'whose devices name their nodes',
      deviceOf({ nodeName: 'node-1' }, { nodeName: undefined, perDeviceNodeSelection: true }),
    ],
    [
      'with a policy for a device that is not shared',
      deviceOf({ capacity: memory({}) }),
      'FieldValueForbidden spec.devices[0].capacity[memory].requestPolicy',
    ],
    [
      'with a policy',
      deviceOf({
        allowMultipleAllocations: true,
        capacity: memory({ default: '1Gi', validRange: { min: '1Gi', max: '9Gi', step: '1Gi' } }),
      }),
    ],
    [
      'with a policy that does not allow its default',
      deviceOf({
        allowMultipleAllocations: true,
        capacity: memory({ default: '3Gi', validValues: ['1Gi', '2Gi'] }),
      }),
      'FieldValueInvalid spec.devices[0].capacity[memory].requestPolicy.validValues',
    ],
    [
      'with a policy whose steps do not lead to its default',
      deviceOf({
        allowMultipleAllocations: true,
        capacity: memory({ default: '2Gi', validRange: { min: '1Gi', step: '3Gi' } }),
      }),
      'FieldValueInvalid spec.devices[0].capacity[memory].requestPolicy.validRange.step',
    ],
    [
      'with conditions of one sort',
      deviceOf({ bindingConditions: ['example.com/ready'] }),
      'FieldValueInvalid spec.devices[0].bindingFailureConditions',
    ],
    [
      'with a taint without an effect',
      deviceOf({ taints: [{ key: 'a' }] }),
      'FieldValueRequired spec.devices[0].taints[0].effect',
    ],
    [
      'with counters of a set without a name',
      deviceOf({ consumesCounters: [{ counters: {} }] }),
      'FieldValueRequired spec.devices[0].consumesCounters[0].counterSet',
      'FieldValueRequired spec.devices[0].consumesCounters[0].counters',
    ],
  ] as const)
    it(`a slice ${title} is ${errors.length === 0 ? 'valid' : 'invalid'}`, () =>
      assert.deepEqual(causes(written), errors));

  it('a slice stays with its driver, its pool and its node', () => {
    const { object } = deviceOf({});
    const update = (set: Rest) => path.update(resourceSlices, object, edited(object, set));
    assert.deepEqual(
      causes(update({ 'spec.driver': 'a.example', 'spec.pool.name': 'b', 'spec.nodeName': 'c' })),
      [
        'FieldValueInvalid spec.driver',
        'FieldValueInvalid spec.nodeName',
        'FieldValueInvalid spec.pool.name',
      ],
    );
  });

  it('a taint without a time was added when its slice was written', () => {
    const { object } = deviceOf({ taints: [{ key: 'a', effect: 'NoSchedule' }] });
    assert.match(JSON.stringify(object['spec']), /"effect":"NoSchedule","timeAdded":"\d{4}-/);
  });
});

describe('classes of devices', () => {
  for (const [title, spec, ...errors] of [
    ['without conditions', {}],
    ['with an extended resource', { extendedResourceName: 'example.com/gpu' }],
    [
      'with a resource of the product',
      { extendedResourceName: 'cpu' },
      'FieldValueInvalid spec.extendedResourceName',
    ],
    [
      'with a wrong expression',
      { selectors: [{ cel: { expression: 'device.' } }] },
      'FieldValueInvalid spec.selectors[0].cel.expression',
    ],
  ] as const)
    it(`a class ${title} is ${errors.length === 0 ? 'valid' : 'invalid'}`, () =>
      assert.deepEqual(causes(create(deviceClasses, spec)), errors));
});

describe('taint rules of devices', () => {
  const taint = { key: 'a', effect: 'NoSchedule', timeAdded: '2024-01-01T00:00:00Z' };
  for (const [title, spec, ...errors] of [
    ['for all devices', { taint }],
    ['without a taint', {}, 'FieldValueInvalid spec.taint.key', 'FieldValueRequired spec.taint.effect'],
    [
      'for an impossible pool',
      { taint, deviceSelector: { pool: 'a//b' } },
      'FieldValueInvalid spec.deviceSelector.pool',
    ],
  ] as const)
    it(`a rule ${title} is ${errors.length === 0 ? 'valid' : 'invalid'}`, () =>
      assert.deepEqual(causes(create(deviceTaintRules, spec)).toSorted(), errors));

  it('the time of a taint is that of its effect', () => {
    const { object } = create(deviceTaintRules, { taint });
    const timeAfter = (set: Rest): unknown => {
      const { object: next } = path.update(deviceTaintRules, object, edited(object, set));
      return (next['spec'] as { taint: typeof taint }).taint.timeAdded;
    };
    assert.equal(timeAfter({ 'spec.taint.value': 'b' }), taint.timeAdded);
    assert.notEqual(timeAfter({ 'spec.taint.effect': 'NoExecute' }), taint.timeAdded);
  });
});
