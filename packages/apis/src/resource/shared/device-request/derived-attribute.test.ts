import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../../testing/write-path.ts';
import { causes } from '../../../testing/writes.ts';
import { resourceClaims } from '../../resource-claim/index.ts';

const gate = 'DRADerivedAttributes';
const open = writePath(undefined, '1.37', { openGates: new Set([gate, 'DRAListTypeAttributes']) });
const scalarsOnly = writePath(undefined, '1.37', { openGates: new Set([gate]) });
const closed = writePath(undefined, '1.37');

const derived = (name: string, expression: string): object => ({ name, expression });
const numa = derived('derived/numa', '1');
const matching = (matchAttribute: string, ...requests: string[]): object => ({ requests, matchAttribute });
const claim = (derivedAttributes: readonly object[], ...constraints: object[]): object => ({
  metadata: { name: 'c' },
  spec: {
    devices: {
      requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', derivedAttributes } }],
      constraints,
    },
  },
});
const alternative = (...constraints: object[]): object => {
  const first = { name: 'large', deviceClassName: 'gpu', derivedAttributes: [numa] };
  return {
    metadata: { name: 'c' },
    spec: { devices: { requests: [{ name: 'gpu', firstAvailable: [first] }], constraints } },
  };
};
const valued = (expression: string): object => claim([derived('d/x', expression)], matching('d/x'));
const at = 'spec.devices.requests[0].exactly.derivedAttributes';
const unbounded =
  '[1,2,3,4,5,6,7,8,9].map(a, device.attributes.exists(b, device.attributes.exists(c, b == c))).size()';
const many = Array.from({ length: 20 }, (_, i) => `d/x${i}`);

describe('computed attributes of devices', () => {
  for (const [title, object, ...expected] of [
    ['an attribute of all requests', claim([numa], matching('derived/numa'))],
    ['an attribute of the request', claim([numa], matching('derived/numa', 'gpu'))],
    ['an attribute that no constraint uses', claim([numa]), `FieldValueInvalid ${at}[0].name`],
    ['an attribute that distinguishes', claim([numa], { distinctAttribute: 'derived/numa' })],
    ['an attribute of an alternative', alternative(matching('derived/numa', 'gpu/large'))],
    ['an attribute of the request of an alternative', alternative(matching('derived/numa', 'gpu'))],
    ['an attribute twice', claim([numa, numa], matching('derived/numa')), `FieldValueDuplicate ${at}[1]`],
    [
      'an attribute without a domain',
      claim([derived('numa', '1')], matching('d/x')),
      `FieldValueInvalid ${at}[0].name`,
      `FieldValueInvalid ${at}[0].name`,
    ],
    [
      'neither name nor expression',
      claim([derived('', '')]),
      `FieldValueRequired ${at}[0].expression`,
      `FieldValueRequired ${at}[0].name`,
    ],
    ['an attribute of the device', valued('device.attributes["gpu.example.com"].numa')],
    ['a version', valued("semver('1.2.3')")],
    ['a list', valued('[1, 2]')],
    ['a fraction', valued('1.5'), `FieldValueInvalid ${at}[0].expression`],
    ['a list of lists', valued('[[1]]'), `FieldValueInvalid ${at}[0].expression`],
    ['a map', valued('device.capacity'), `FieldValueInvalid ${at}[0].expression`],
    ['an expression that does not compile', valued('devices'), `FieldValueInvalid ${at}[0].expression`],
    [
      'expressions whose costs exceed the limit together',
      claim(
        many.map((name) => derived(name, unbounded)),
        ...many.map((name) => matching(name)),
      ),
      'FieldValueForbidden spec.devices',
    ],
    [
      'more attributes than a request may have',
      claim(
        Array.from({ length: 33 }, (_, i) => derived(`d/x${i}`, '1')),
        ...Array.from({ length: 32 }, (_, i) => matching(`d/x${i}`)),
      ),
      `FieldValueInvalid ${at}[32].name`,
      `FieldValueTooMany ${at}`,
    ],
  ] as const)
    it(`a claim with ${title} has the errors of the reference`, () =>
      assert.deepEqual(causes(open.create(resourceClaims, object)).toSorted(), expected));

  it('a computed attribute is a list only where attributes may be lists', () =>
    assert.deepEqual(causes(scalarsOnly.create(resourceClaims, valued('[1]'))), [
      `FieldValueInvalid ${at}[0].expression`,
    ]));

  it('computed attributes are dropped while their gate is closed', () => {
    const { object } = closed.create(resourceClaims, valued('not an expression'));
    assert.doesNotMatch(JSON.stringify(object), /derivedAttributes/);
  });
});
