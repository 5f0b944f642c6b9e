import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { typesAt } from '../lifecycle.ts';
import type { ResourceType } from '../resource-type.ts';
import { describeLensLaws } from '../testing/lens-laws.ts';
import { setPath } from '../testing/set-path.ts';
import { type WritePath, writePath } from '../testing/write-path.ts';
import { csiDrivers } from './csi-driver/index.ts';
import { csiNodes } from './csi-node/index.ts';
import { csiStorageCapacities } from './csi-storage-capacity.ts';
import { storageGroup } from './group.ts';
import { storageClasses } from './storage-class/index.ts';

const path = writePath();
const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

const at = (release: string, type: ResourceType): ResourceType => {
  const [definition] = typesAt(release, [type], () => true);
  assert.ok(definition);
  return definition;
};

function edited(object: ApiObject, set: Readonly<Record<string, unknown>>): ApiObject {
  const input = cloneJson(object);
  for (const [to, value] of Object.entries(set)) setPath(input, to, value);
  return input;
}

describe('storage classes', () => {
  const create = (rest: object, on: WritePath = path) =>
    on.create(storageClasses, { metadata: { name: 's' }, provisioner: 'a.b/c', ...rest });
  const topologies = (...terms: readonly object[][]) => ({
    allowedTopologies: terms.map((matchLabelExpressions) => ({ matchLabelExpressions })),
  });
  const where = 'allowedTopologies[0].matchLabelExpressions';

  for (const [title, rest, expected] of [
    ['have a provisioner in any case', { provisioner: 'Example.COM/Disk' }, []],
    ['are small', { parameters: { a: 'x'.repeat(262_144) } }, ['FieldValueTooLong parameters']],
    ['fill what they may', { parameters: { a: 'x'.repeat(262_143) } }, []],
    [
      'name labels and values once',
      topologies([
        { key: 'a', values: ['x', 'x'] },
        { key: 'a', values: ['y'] },
      ]),
      [`FieldValueDuplicate ${where}[1].key`, `FieldValueDuplicate ${where}[0].values[1]`],
    ],
    [
      'name labels as they are named',
      topologies([{ key: 'a b', values: ['x'] }]),
      [`FieldValueInvalid ${where}[0].key`],
    ],
    [
      'say where only once',
      topologies([{ key: 'a', values: ['x', 'y'] }], [{ key: 'a', values: ['y', 'x'] }]),
      ['FieldValueDuplicate allowedTopologies[1].matchLabelExpressions'],
    ],
    [
      'say something with each term',
      topologies([]),
      ['FieldValueDuplicate allowedTopologies[0].matchLabelExpressions'],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(causes(create(rest).errors), expected));
  }

  it('storage classes end after a hundred errors, however many equal terms they have', () => {
    const terms = Array.from({ length: 2000 }, () => [{ key: 'a', values: ['x'] }]);
    assert.equal(create(topologies(...terms)).errors.length, 100);
  });

  for (const naming of ['orch', 'kubernetes'] as const) {
    it(`the table of storage classes shows which is the default, under ${naming} names`, () => {
      const on = writePath(namesFor(naming));
      const { defaultStorageClass, betaDefaultStorageClass } = on.names.annotations;
      const first = (annotations: object) =>
        storageClasses.table?.cells(create({ metadata: { name: 's', annotations } }, on).object, on.names)[0];
      assert.equal(first({ [defaultStorageClass]: 'true' }), 's (default)');
      assert.equal(first({ [betaDefaultStorageClass]: 'true' }), 's (default)');
      assert.equal(first({ [defaultStorageClass]: 'false' }), 's');
    });
  }

  it('rows of storage classes have the reclaim policy of volumes', () => {
    const cells = storageClasses.table?.cells(create({ allowVolumeExpansion: true }).object, path.names);
    assert.deepEqual(cells, ['s', 'a.b/c', 'Delete', 'Immediate', true, { age: path.context.now }]);
  });
});

describe('storage drivers', () => {
  const { object: stored } = path.create(csiDrivers, { metadata: { name: 'd' }, spec: {} });

  it('storage drivers have the documented defaults', () => {
    assert.deepEqual(stored['spec'], {
      attachRequired: true,
      podInfoOnMount: false,
      volumeLifecycleModes: ['Persistent'],
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
    });
  });

  it('storage drivers may change fields that are read again with each use, from 1.21 on', () => {
    const next = edited(stored, {
      'spec.storageCapacity': true,
      'spec.requiresRepublish': true,
      'spec.tokenRequests': [{ audience: 'a' }],
    });
    assert.deepEqual(causes(path.update(csiDrivers, stored, next).errors), []);
    const earlier = at('1.20', csiDrivers);
    assert.deepEqual(causes(path.update(earlier, stored, next).errors), ['FieldValueInvalid spec']);
    assert.deepEqual([csiDrivers.strategy.generation, earlier.strategy.generation], ['updates', 'none']);
  });

  for (const [title, set, expected] of [
    [
      'keep how groups of files are changed',
      { 'spec.fsGroupPolicy': 'None' },
      ['FieldValueInvalid spec.fsGroupPolicy'],
    ],
    [
      'keep their modes',
      { 'spec.volumeLifecycleModes': ['Ephemeral'] },
      ['FieldValueInvalid spec.volumeLifecycleModes'],
    ],
    [
      'ask for tokens that live for a while, each for another audience',
      {
        'spec.tokenRequests': [
          { audience: '', expirationSeconds: 599 },
          { audience: 'a', expirationSeconds: 2 ** 32 + 1 },
          { audience: '', expirationSeconds: 1 },
        ],
      },
      [
        'FieldValueInvalid spec.tokenRequests[0].expirationSeconds',
        'FieldValueInvalid spec.tokenRequests[1].expirationSeconds',
        'FieldValueDuplicate spec.tokenRequests[2].audience',
      ],
    ],
  ] as const) {
    it(title, () =>
      assert.deepEqual(causes(path.update(csiDrivers, stored, edited(stored, set)).errors), expected),
    );
  }

  it('storage drivers have a policy for groups of files that is not empty', () => {
    const { errors } = path.create(csiDrivers, { metadata: { name: 'd' }, spec: { fsGroupPolicy: '' } });
    assert.deepEqual(causes(errors), ['FieldValueNotSupported spec.fsGroupPolicy']);
  });

  it('storage drivers may have names of any length that objects may have', () => {
    const { errors } = path.create(csiDrivers, { metadata: { name: 'd'.repeat(100) }, spec: {} });
    assert.deepEqual(causes(errors), []);
  });

  it('storage drivers receive tokens as secrets only if they receive tokens', () => {
    const create = (spec: object) =>
      causes(writePath(undefined, '1.37').create(csiDrivers, { metadata: { name: 'd' }, spec }).errors);
    for (const serviceAccountTokenInSecrets of [true, false])
      assert.deepEqual(create({ serviceAccountTokenInSecrets }), [
        'FieldValueInvalid spec.serviceAccountTokenInSecrets',
      ]);
    assert.deepEqual(create({ serviceAccountTokenInSecrets: true, tokenRequests: [{ audience: 'a' }] }), []);
  });

  it('the table of storage drivers shows what the driver needs', () => {
    const tokens = edited(stored, { 'spec.tokenRequests': [{ audience: 'a' }, { audience: 'b' }] });
    const age = { age: path.context.now };
    assert.deepEqual(csiDrivers.table?.cells(stored, path.names), [
      'd',
      true,
      false,
      false,
      '<unset>',
      false,
      'Persistent',
      age,
    ]);
    assert.equal(csiDrivers.table?.cells(tokens, path.names)[4], 'a,b');
  });
});

describe('drivers of nodes', () => {
  const driver = { name: 'd', nodeID: 'n', topologyKeys: ['a.b/zone'] };
  const { object: stored } = path.create(csiNodes, { metadata: { name: 'n' }, spec: { drivers: [driver] } });
  const update = (drivers: readonly object[]) =>
    causes(path.update(csiNodes, stored, edited(stored, { 'spec.drivers': drivers })).errors);

  it('drivers of nodes can be added and removed', () => {
    assert.deepEqual(update([{ ...driver, name: 'e' }, driver]), []);
    assert.deepEqual(update([]), []);
  });

  it('drivers of nodes stay as they are', () => {
    assert.deepEqual(update([{ ...driver, topologyKeys: [] }]), ['FieldValueInvalid CSINodeDriver']);
    assert.deepEqual(update([{ ...driver, allocatable: { count: 1 } }]), ['FieldValueInvalid CSINodeDriver']);
  });

  it('drivers of nodes have valid topology keys', () => {
    assert.deepEqual(update([{ ...driver, name: 'e', topologyKeys: ['', 'a b'] }]), [
      'FieldValueRequired spec.drivers[0]',
      'FieldValueInvalid spec.drivers[0]',
      'FieldValueInvalid spec.drivers[0]',
    ]);
  });

  it('drivers of nodes have names in any case, of at most 63 characters', () => {
    const named = (name: string, release: '1.24' | '1.37' = '1.24') => {
      const spec = { drivers: [{ name, nodeID: 'n' }] };
      const { errors } = writePath(undefined, release).create(csiNodes, { metadata: { name: 'n' }, spec });
      return causes(errors);
    };
    const at = 'spec.drivers[0].name';
    assert.deepEqual(named('D.Example.com'), []);
    assert.deepEqual(named('d_'), [`FieldValueInvalid ${at}`]);
    assert.deepEqual(named('d'.repeat(64)), [`FieldValueTooLong ${at}`]);
    assert.deepEqual(named(''), [`FieldValueRequired ${at}`, `FieldValueInvalid ${at}`]);
    assert.deepEqual(named('', '1.37'), [`FieldValueRequired ${at}`]);
  });

  it('drivers of nodes are counted in rows', () => {
    assert.deepEqual(csiNodes.table?.cells(stored, path.names), ['n', 1, { age: path.context.now }]);
  });
});

describe('reports of capacity', () => {
  const report = { metadata: { name: 'c' }, storageClassName: 's', nodeTopology: {}, capacity: '10Gi' };
  const { object: stored } = path.create(csiStorageCapacities, report);
  for (const [title, set, expected] of [
    ['name a class', { storageClassName: '' }, ['FieldValueInvalid storageClassName']],
    ['are not below nothing', { capacity: '-1' }, ['FieldValueInvalid capacity']],
    ['may have any largest volume', { maximumVolumeSize: '-1Gi' }, []],
    [
      'select nodes validly',
      { nodeTopology: { matchLabels: { 'a b': '' } } },
      ['FieldValueInvalid nodeTopology.matchLabels'],
    ],
    ['may know nothing', { capacity: undefined, nodeTopology: undefined }, []],
  ] as const) {
    it(title, () => {
      const input: Record<string, unknown> = cloneJson(report);
      for (const [to, value] of Object.entries(set)) setPath(input, to, value);
      assert.deepEqual(causes(path.create(csiStorageCapacities, input).errors), expected);
    });
  }

  it('a report of capacity changes in their amounts only', () => {
    assert.deepEqual(
      causes(path.update(csiStorageCapacities, stored, edited(stored, { capacity: '1' })).errors),
      [],
    );
    const next = edited(stored, { storageClassName: 'other', nodeTopology: undefined });
    assert.deepEqual(causes(path.update(csiStorageCapacities, stored, next).errors), [
      'FieldValueInvalid nodeTopology',
      'FieldValueInvalid storageClassName',
    ]);
  });

  it('each report of capacity is a row with its amount, which older releases did not show', () => {
    assert.deepEqual(csiStorageCapacities.table?.cells(stored, path.names), ['c', 's', '10Gi']);
    const earlier = at('1.20', csiStorageCapacities).table;
    assert.deepEqual(
      earlier?.columns.map(({ name, type }) => [name, type]),
      [
        ['Name', 'string'],
        ['Created At', 'date'],
      ],
    );
    assert.deepEqual(earlier?.cells(stored, path.names), ['c', path.context.now]);
  });

  it('the alpha version of storage capacities names v1beta1 as its replacement', () => {
    const alpha = csiStorageCapacities.versions.find(({ version }) => version === 'v1alpha1');
    assert.deepEqual(alpha?.replacement, {
      group: 'storage',
      version: 'v1beta1',
      kind: 'CSIStorageCapacity',
    });
  });
});

describe('versions of storage', () => {
  for (const [release, expected] of [
    ['1.15', ['v1beta1', 'v1beta1', undefined, 'v1,v1beta1', 'v1,v1beta1', undefined]],
    ['1.20', ['v1,v1beta1', 'v1,v1beta1', undefined, 'v1,v1beta1', 'v1,v1beta1', undefined]],
    ['1.24', ['v1', 'v1', 'v1,v1beta1', 'v1', 'v1', undefined]],
    ['1.27', ['v1', 'v1', 'v1', 'v1', 'v1', undefined]],
    ['1.34', ['v1', 'v1', 'v1', 'v1', 'v1', 'v1']],
  ] as const) {
    it(`versions of storage kinds in ${release} are the expected ones`, () => {
      const served = storageGroup.types.map((type) =>
        typesAt(release, [type])[0]
          ?.served.map(({ version }) => version)
          .join(),
      );
      assert.deepEqual(served, expected);
    });
  }
});

describeLensLaws(csiDrivers);
