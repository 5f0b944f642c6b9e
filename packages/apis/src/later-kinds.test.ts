import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { leaseCandidates } from './coordination/lease-candidate/index.ts';
import { serviceCidrs } from './networking/service-cidr.ts';
import { volumeAttributesClasses } from './storage/volume-attributes-class.ts';
import { writePath } from './testing/write-path.ts';
import { causes } from './testing/writes.ts';

const path = writePath(namesFor('orch'), '1.36');
const metadata = { name: 'a' };
const ranges = (...cidrs: readonly string[]): object => ({ metadata, spec: { cidrs } });
const attributes = (fields: object): object => ({
  metadata,
  driverName: 'disks.example.com',
  parameters: { iops: '1' },
  ...fields,
});
const candidate = (fields: object): object => ({
  metadata: { ...metadata, namespace: 'default' },
  spec: {
    leaseName: 'l',
    binaryVersion: '1.36.1',
    emulationVersion: '1.36.0',
    strategy: 'OldestEmulationVersion',
    ...fields,
  },
});

describe('kinds of later releases', () => {
  for (const [title, type, object, expected] of [
    ['a range of each family is valid', serviceCidrs, ranges('10.0.0.0/24', 'fd00::/112'), []],
    ['at least one range is required', serviceCidrs, ranges(), ['FieldValueRequired spec.cidrs']],
    [
      'two ranges of one family are invalid',
      serviceCidrs,
      ranges('10.0.0.0/24', '10.1.0.0/24'),
      ['FieldValueInvalid spec.cidrs'],
    ],
    [
      'a range that is not one is invalid',
      serviceCidrs,
      ranges('10.0.0.1'),
      ['FieldValueInvalid spec.cidrs[0]'],
    ],
    [
      'three ranges are too many',
      serviceCidrs,
      ranges('10.0.0.0/24', 'fd00::/112', '10.1.0.0/24'),
      ['FieldValueInvalid spec.cidrs'],
    ],
    ['a class with attributes is valid', volumeAttributesClasses, attributes({}), []],
    [
      'a class without attributes is invalid',
      volumeAttributesClasses,
      attributes({ parameters: {} }),
      ['FieldValueRequired parameters'],
    ],
    ['a candidate with versions is valid', leaseCandidates, candidate({}), []],
    [
      'a candidate does not emulate a later version than its own',
      leaseCandidates,
      candidate({ emulationVersion: '1.37.0' }),
      ['FieldValueInvalid spec.binaryVersion'],
    ],
    [
      'a candidate has semantic versions',
      leaseCandidates,
      candidate({ binaryVersion: 'v1' }),
      ['FieldValueInvalid spec.binaryVersion'],
    ],
    [
      'a candidate has a known strategy',
      leaseCandidates,
      candidate({ strategy: 'Random' }),
      ['FieldValueNotSupported spec.strategy'],
    ],
  ] as const)
    it(title, () => assert.deepEqual(causes(path.create(type, object)), expected));

  for (const [title, type, before, after, expected] of [
    [
      'a range of the other family is added later',
      serviceCidrs,
      ranges('10.0.0.0/24'),
      ranges('10.0.0.0/24', 'fd00::/112'),
      [],
    ],
    [
      'a range does not change',
      serviceCidrs,
      ranges('10.0.0.0/24'),
      ranges('10.1.0.0/24'),
      ['FieldValueInvalid spec.cidrs[0]'],
    ],
    [
      'a range is not removed',
      serviceCidrs,
      ranges('10.0.0.0/24', 'fd00::/112'),
      ranges('10.0.0.0/24'),
      ['FieldValueInvalid spec.cidrs'],
    ],
    [
      'the attributes of a class do not change',
      volumeAttributesClasses,
      attributes({}),
      attributes({ driverName: 'b', parameters: { iops: '2' } }),
      ['FieldValueForbidden driverName', 'FieldValueForbidden parameters'],
    ],
    [
      'a candidate stands for one lease',
      leaseCandidates,
      candidate({}),
      candidate({ leaseName: 'm' }),
      ['FieldValueInvalid spec.leaseName'],
    ],
  ] as const)
    it(title, () => {
      const { object: old } = path.create(type, before);
      assert.deepEqual(causes(path.update(type, old, after)), expected);
    });
});
