import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typesAt } from '../../lifecycle.ts';
import { writePath } from '../../testing/write-path.ts';
import { internalGroup } from '../group.ts';
import { storageVersions } from './index.ts';

const path = writePath(undefined, '1.28');
const named = { metadata: { name: 'apps.deployments' }, spec: {} };
const server = (apiServerID: string, encodingVersion = 'apps/v1', decodable = [encodingVersion]) => ({
  apiServerID,
  encodingVersion,
  decodableVersions: decodable,
});
const { object: stored } = path.create(storageVersions, named);
const report = (status: object) => path.update(storageVersions, stored, { ...stored, status }, 'status');
const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

describe('storage versions', () => {
  it('storage versions have names of a group and a resource', () => {
    for (const [name, ok] of [
      ['core.pods', true],
      ['a.b.example.com.things', true],
      ['pods', false],
      ['core.Pods', false],
    ] as const) {
      assert.equal(
        path.create(storageVersions, { ...named, metadata: { name } }).errors.length === 0,
        ok,
        name,
      );
    }
  });

  it('storage versions begin without a status, and show empty parts', () => {
    const { object } = path.create(storageVersions, { ...named, status: { commonEncodingVersion: 'v1' } });
    assert.deepEqual([object['spec'], object['status']], [{}, {}]);
  });

  for (const [title, status, expected] of [
    ['agree', { storageVersions: [server('a'), server('b')], commonEncodingVersion: 'apps/v1' }, []],
    ['need not agree', { storageVersions: [server('a'), server('b', 'apps/v2')] }, []],
    [
      'do not agree while they differ',
      { storageVersions: [server('a'), server('b', 'apps/v2')], commonEncodingVersion: 'apps/v1' },
      ['FieldValueInvalid status.commonEncodingVersion'],
    ],
    [
      'say that they agree',
      { storageVersions: [server('a')] },
      ['FieldValueInvalid status.commonEncodingVersion'],
    ],
    [
      'agree on what is so',
      { storageVersions: [server('a')], commonEncodingVersion: 'apps/v2' },
      ['FieldValueInvalid status.commonEncodingVersion'],
    ],
    [
      'can read what they write',
      { storageVersions: [server('a', 'apps/v1', ['apps/v2'])], commonEncodingVersion: 'apps/v1' },
      ['FieldValueInvalid status.storageVersions[0].decodableVersions'],
    ],
    [
      'can read what they serve',
      {
        storageVersions: [{ ...server('a'), servedVersions: ['apps/v1', 'apps/v2', 'a b'] }],
        commonEncodingVersion: 'apps/v1',
      },
      [
        'FieldValueInvalid status.storageVersions[0].servedVersions[1]',
        'FieldValueInvalid status.storageVersions[0].servedVersions[2]',
        'FieldValueInvalid status.storageVersions[0].servedVersions[2]',
      ],
    ],
    [
      'have names, and write versions',
      { storageVersions: [server('A_', 'a b')], commonEncodingVersion: 'a b' },
      [
        'FieldValueInvalid status.storageVersions[0].apiServerID',
        'FieldValueInvalid status.storageVersions[0].encodingVersion',
        'FieldValueInvalid status.storageVersions[0].decodableVersions[0]',
      ],
    ],
    [
      'tell each aspect once, and why it is so',
      {
        conditions: [
          { type: 'A', status: 'True', reason: 'r', message: 'm' },
          { type: 'A', status: 'True' },
        ],
      },
      [
        'FieldValueRequired status.conditions[1].reason',
        'FieldValueRequired status.conditions[1].message',
        'FieldValueDuplicate status.conditions[1].type',
      ],
    ],
  ] as const) {
    it(`storage versions of servers that ${title}`, () =>
      assert.deepEqual(causes(report(status).errors), expected));
  }

  it('storage versions are rows with the first servers', () => {
    const cells = (status: object) =>
      storageVersions.table?.cells({ ...stored, status }, path.names).slice(1, 3);
    assert.deepEqual(cells({}), ['<unset>', '']);
    const servers = ['a', 'b', 'c', 'd', 'e'].map((id) => server(id, 'v1'));
    assert.deepEqual(cells({ storageVersions: servers, commonEncodingVersion: 'v1' }), [
      'v1',
      'a=v1,b=v1,c=v1 + 2 more...',
    ]);
  });

  it('storage versions are served only when enabled, and not before 1.20', () => {
    assert.deepEqual(typesAt('1.24', internalGroup.types), []);
    assert.deepEqual(
      typesAt('1.19', internalGroup.types, () => true),
      [],
    );
    assert.equal(typesAt('1.20', internalGroup.types, () => true).length, 1);
  });
});
