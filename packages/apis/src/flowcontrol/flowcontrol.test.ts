import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject, specOf } from '@orch/machinery/json';
import { typesAt } from '../lifecycle.ts';
import { describeLensLaws } from '../testing/lens-laws.ts';
import { setPath } from '../testing/set-path.ts';
import { type WritePath, writePath } from '../testing/write-path.ts';
import { flowSchemas } from './flow-schema/index.ts';
import { flowcontrolGroup } from './group.ts';
import { priorityLevelConfigurations as levels } from './priority-level-configuration/index.ts';

const v1beta3 = writePath(undefined, '1.27');
const v1beta2 = writePath(undefined, '1.24', { version: 'flowcontrol/v1beta2' });

const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

const limitedOf = (object: ApiObject): object => asObject(specOf(object)['limited']);

describe('priority levels', () => {
  const limitResponse = { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 50 } };
  const older = { type: 'Limited', limited: { assuredConcurrencyShares: 20, limitResponse } };

  it('priority levels have nominal shares where they had assured ones', () => {
    const { object, errors } = v1beta2.create(levels, { metadata: { name: 'p' }, spec: older });
    assert.deepEqual(errors, []);
    assert.deepEqual(limitedOf(object), { nominalConcurrencyShares: 20, limitResponse });
    assert.deepEqual(limitedOf(v1beta2.show(levels, object)), older.limited);
  });

  it('priority levels need a type, an unknown one before 1.37', () => {
    const create = (spec: object, release: '1.27' | '1.37') =>
      causes(writePath(undefined, release).create(levels, { metadata: { name: 'p' }, spec }).errors);
    const untyped = { type: 'Limited', limited: { limitResponse: {} } };
    const at = 'spec.limited.limitResponse.type';
    assert.deepEqual(create({}, '1.27'), ['FieldValueNotSupported spec.type']);
    assert.deepEqual(create({}, '1.37'), ['FieldValueRequired spec.type']);
    assert.deepEqual(create(untyped, '1.27'), [`FieldValueNotSupported ${at}`]);
    assert.deepEqual(create(untyped, '1.37'), [`FieldValueRequired ${at}`]);
    assert.deepEqual(create({ type: 'x', exempt: {} }, '1.37'), [
      'FieldValueNotSupported spec.type',
      'FieldValueForbidden spec.exempt',
    ]);
  });

  it('priority levels get default shares and queues when they set none, in the field of their version', () => {
    const spec = { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } };
    const queuing = { queues: 64, handSize: 8, queueLengthLimit: 50 };
    const response = { type: 'Queue', queuing };
    const create = (path: WritePath) =>
      path.show(levels, path.create(levels, { metadata: { name: 'p' }, spec }).object);
    assert.deepEqual(limitedOf(create(v1beta2)), { assuredConcurrencyShares: 30, limitResponse: response });
    assert.deepEqual(limitedOf(create(v1beta3)), {
      nominalConcurrencyShares: 30,
      limitResponse: response,
      lendablePercent: 0,
    });
    const later = writePath(undefined, '1.26', { version: 'flowcontrol/v1beta2' });
    assert.deepEqual(limitedOf(create(later)), {
      assuredConcurrencyShares: 30,
      limitResponse: response,
      lendablePercent: 0,
    });
  });

  it('priority levels lend and borrow in every version of the releases that can', () => {
    const lending = { lendablePercent: 30, borrowingLimitPercent: 0 };
    const { object } = v1beta3.create(levels, {
      metadata: { name: 'p' },
      spec: { type: 'Limited', limited: { limitResponse, nominalConcurrencyShares: 1, ...lending } },
    });
    const later = writePath(undefined, '1.26', { version: 'flowcontrol/v1beta2' });
    assert.deepEqual(limitedOf(later.show(levels, object)), {
      assuredConcurrencyShares: 1,
      limitResponse,
      ...lending,
    });
  });

  const limited = (fields: object) => ({ type: 'Limited', limited: { limitResponse, ...fields } });
  const queued = (queuing: object) => limited({ limitResponse: { type: 'Queue', queuing } });
  for (const [title, spec, expected] of [
    [
      'that lend more than they have',
      limited({ lendablePercent: 101 }),
      ['FieldValueInvalid spec.limited.lendablePercent'],
    ],
    [
      'that borrow less than nothing',
      limited({ borrowingLimitPercent: -1 }),
      ['FieldValueInvalid spec.limited.borrowingLimitPercent'],
    ],
    [
      'with a share below nothing',
      limited({ nominalConcurrencyShares: -1 }),
      ['FieldValueInvalid spec.limited.nominalConcurrencyShares'],
    ],
    [
      'with too many queues',
      queued({ queues: 10_000_001, handSize: 1 }),
      ['FieldValueInvalid spec.limited.limitResponse.queuing.queues'],
    ],
    [
      'with hands that one hash cannot deal',
      queued({ queues: 10_000_000, handSize: 3 }),
      ['FieldValueInvalid spec.limited.limitResponse.queuing.handSize'],
    ],
    ['that are exempt under another name', { type: 'Exempt' }, ['FieldValueInvalid spec.type']],
    ['without a type', {}, ['FieldValueNotSupported spec.type']],
  ] as const) {
    it(`priority levels: ${title} are rejected`, () => {
      const { errors } = v1beta3.create(levels, { metadata: { name: 'p' }, spec });
      assert.deepEqual(causes(errors), expected);
    });
  }

  it('priority levels take the largest hand that one hash can deal', () => {
    const spec = queued({ queues: 1024, handSize: 6, queueLengthLimit: 1 });
    assert.deepEqual(causes(v1beta3.create(levels, { metadata: { name: 'p' }, spec }).errors), []);
    const more = queued({ queues: 1025, handSize: 6, queueLengthLimit: 1 });
    assert.equal(v1beta3.create(levels, { metadata: { name: 'p' }, spec: more }).errors.length, 1);
  });
});

describe('what every server needs', () => {
  const everything = {
    resourceRules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
    ],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  };
  const groups = (...names: readonly string[]) => [
    { subjects: names.map((name) => ({ kind: 'Group', group: { name } })), ...everything },
  ];
  for (const [type, name, spec] of [
    [levels, 'exempt', { type: 'Exempt' }],
    [
      levels,
      'catch-all',
      { type: 'Limited', limited: { assuredConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
    ],
    [
      flowSchemas,
      'exempt',
      {
        priorityLevelConfiguration: { name: 'exempt' },
        matchingPrecedence: 1,
        rules: groups('system:masters'),
      },
    ],
    [
      flowSchemas,
      'catch-all',
      {
        priorityLevelConfiguration: { name: 'catch-all' },
        matchingPrecedence: 10_000,
        distinguisherMethod: { type: 'ByUser' },
        rules: groups('system:unauthenticated', 'system:authenticated'),
      },
    ],
  ] as const) {
    it(`the mandatory object ${type.kind} ${name} cannot be changed`, () => {
      for (const release of ['1.20', '1.24', '1.26']) {
        const version = release === '1.20' ? 'flowcontrol/v1beta1' : 'flowcontrol/v1beta2';
        const path = writePath(undefined, release, { version });
        const { object, errors } = path.create(type, { metadata: { name }, spec });
        assert.deepEqual(causes(errors), [], release);
        const next = path.show(type, object) as ApiObject & Record<string, unknown>;
        if (type === levels)
          setPath(next, 'spec', { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } });
        else setPath(next, 'spec.rules', []);
        assert.ok(causes(path.update(type, object, next).errors).includes('FieldValueInvalid spec'));
      }
    });
  }
});

describe('tables of flow control', () => {
  it('tables of flow control show what a schema does, and whether its level is there', () => {
    const { object } = v1beta3.create(flowSchemas, {
      metadata: { name: 'f' },
      spec: { priorityLevelConfiguration: { name: 'p' }, distinguisherMethod: { type: 'ByUser' } },
    });
    const cells = (status: object) => flowSchemas.table?.cells({ ...object, status }, v1beta3.names);
    const age = { age: v1beta3.context.now };
    assert.deepEqual(cells({}), ['f', 'p', 1000, 'ByUser', age, '?']);
    assert.deepEqual(cells({ conditions: [{ type: 'Dangling', status: 'False' }] })?.at(-1), 'False');
  });

  it('tables of flow control show numbers of levels, and nothing where there are none', () => {
    const age = { age: v1beta3.context.now };
    const cells = (name: string, spec: object) => {
      const { object } = v1beta3.create(levels, { metadata: { name }, spec });
      return levels.table?.cells(object, v1beta3.names);
    };
    const queue = { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 9 } };
    assert.deepEqual(
      cells('p', { type: 'Limited', limited: { nominalConcurrencyShares: 7, limitResponse: queue } }),
      ['p', 'Limited', 7, 4, 2, 9, age],
    );
    assert.deepEqual(cells('exempt', { type: 'Exempt' }), [
      'exempt',
      'Exempt',
      '<none>',
      '<none>',
      '<none>',
      '<none>',
      age,
    ]);
  });

  it('tables of flow control name shares as the release does', () => {
    const title = (release: string) => typesAt(release, [levels])[0]?.table?.columns[2]?.name;
    assert.deepEqual(['1.20', '1.25', '1.26'].map(title), [
      'AssuredConcurrencyShares',
      'AssuredConcurrencyShares',
      'NominalConcurrencyShares',
    ]);
  });
});

describe('versions of flow control', () => {
  for (const [release, served, stored] of [
    ['1.17', undefined, undefined],
    ['1.19', undefined, undefined],
    ['1.20', ['v1beta1'], 'v1beta1'],
    ['1.24', ['v1beta2', 'v1beta1'], 'v1beta2'],
    ['1.27', ['v1beta3', 'v1beta2'], 'v1beta3'],
  ] as const) {
    it(`versions of flow control in ${release}: ${served?.join(', ') ?? 'none'}`, () => {
      for (const type of flowcontrolGroup.types) {
        const [definition] = typesAt(release, [type]);
        assert.deepEqual(
          definition?.served.map(({ version }) => version),
          served,
        );
        assert.equal(definition?.stored.version, stored);
      }
    });
  }
});

for (const type of flowcontrolGroup.types) describeLensLaws(type);
