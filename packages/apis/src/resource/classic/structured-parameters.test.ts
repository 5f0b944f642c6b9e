import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { ResourceType } from '../../resource-type.ts';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { resourceClaimParameters } from './resource-claim-parameters.ts';
import { resourceClassParameters } from './resource-class-parameters.ts';
import { classicResourceSlices } from './resource-slice.ts';

const path = writePath(undefined, '1.30');
type Rest = Readonly<Record<string, unknown>>;
const create = (type: ResourceType, rest: Rest) => path.create(type, { metadata: { name: 'x' }, ...rest });

const requesting = (selector: string) =>
  create(resourceClaimParameters, {
    driverRequests: [{ driverName: 'd.io', requests: [{ namedResources: { selector } }] }],
  });
const filter = { driverName: 'd.io', namedResources: { selector: 'attributes.bool["a"]' } };
const slice = { nodeName: 'n', driverName: 'd.io' };
const instanceOf = (attribute: Rest) =>
  create(classicResourceSlices, {
    ...slice,
    namedResources: { instances: [{ name: 'i', attributes: [{ name: 'a', ...attribute }] }] },
  });
const request = 'driverRequests[0].requests[0]';
const at = 'namedResources.instances[0].attributes[0]';

describe('parameters that the scheduler reads', () => {
  for (const [title, written, ...errors] of [
    ['an expression about a number', requesting('attributes.int["a"] > 1')],
    ['an expression about a version', requesting('attributes.version["a"].isGreaterThan(semver("1.2.3"))')],
    ['an expression about a quantity', requesting('attributes.quantity["a"].isGreaterThan(quantity("1Gi"))')],
    [
      'an expression about lists',
      requesting('1 in attributes.intslice["a"] && "b" in attributes.stringslice["a"]'),
    ],
    ['no expression', requesting(''), `FieldValueRequired ${request}.namedResources.selector`],
    [
      'a wrong expression',
      requesting('attributes.other'),
      `FieldValueInvalid ${request}.namedResources.selector`,
    ],
    [
      'an expression that is not a condition',
      requesting('attributes.string["a"]'),
      `FieldValueInvalid ${request}.namedResources.selector`,
    ],
    [
      'a request of no model',
      create(resourceClaimParameters, { driverRequests: [{ driverName: 'd.io', requests: [{}] }] }),
      `FieldValueRequired ${request}`,
    ],
    [
      'a driver without requests',
      create(resourceClaimParameters, { driverRequests: [{ driverName: 'd.io' }] }),
      'FieldValueRequired driverRequests[0].requests',
    ],
    ['a filter', create(resourceClassParameters, { filters: [filter] })],
    [
      'two filters of one driver',
      create(resourceClassParameters, { filters: [filter, filter] }),
      'FieldValueDuplicate filters[1].driverName',
    ],
    [
      'two parameters of one driver',
      create(resourceClassParameters, { vendorParameters: [{ driverName: 'd' }, { driverName: 'd' }] }),
      'FieldValueDuplicate vendorParameters[1].driverName',
    ],
  ] as const)
    it(`parameters of claims and classes: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(written), errors));

  it('parameters show what they were made from', () => {
    const { object } = create(resourceClaimParameters, {
      generatedFrom: { apiGroup: 'd.io', kind: 'Card', name: 'c' },
    });
    assert.deepEqual(resourceClaimParameters.table?.cells(object, namesFor('orch')).slice(1, -1), [
      'Card.d.io c',
    ]);
  });
});

describe('slices of named resources', () => {
  for (const [title, written, ...errors] of [
    ['a quantity', instanceOf({ quantity: '1Gi' })],
    ['a version', instanceOf({ version: '1.2.3-rc.1+build' })],
    ['no version', instanceOf({ version: 'v1' }), `FieldValueInvalid ${at}.version`],
    ['no value', instanceOf({}), `FieldValueRequired ${at}`],
    ['two values', instanceOf({ int: 1, bool: true }), `FieldValueInvalid ${at}`],
    ['a slice of no model', create(classicResourceSlices, slice), 'FieldValueRequired <nil>'],
  ] as const)
    it(`slices of named resources: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(written), errors));

  it('slices of named resources keep their node and driver', () => {
    const { object } = instanceOf({ int: 1 });
    const next = edited(object, { nodeName: 'o', driverName: 'e.io' });
    assert.deepEqual(causes(path.update(classicResourceSlices, object, next)), [
      'FieldValueInvalid nodeName',
      'FieldValueInvalid driverName',
    ]);
  });
});
