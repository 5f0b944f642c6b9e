import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, defineResource, ObjectMeta, type ResourceType, strategyOf } from '@orch/apis';
import { f, struct } from '@orch/schema';
import { openDiscovery } from '../testing/index.ts';

/** Group, then its versions with the release that introduced them and the last one that served them. */
const lives = `
  admissionregistration v1 1.16, v1beta1 1.9 1.21, v1alpha1 1.26
  apiextensions v1 1.16, v1beta1 1.7 1.21
  apiregistration v1 1.10, v1beta1 1.7 1.21
  apps v1 1.9, v1beta1 1.5 1.15, v1beta2 1.8 1.15
  authentication v1 1.6, v1beta1 1.4 1.21, v1alpha1 1.26
  authorization v1 1.6, v1beta1 1.2 1.21
  autoscaling v1 1.2, v2 1.23, v2beta1 1.8 1.24, v2beta2 1.12 1.25
  batch v1 1.2, v1beta1 1.8 1.24, v2alpha1 1.5 1.20
  certificates v1 1.19, v1beta1 1.6 1.21, v1alpha1 1.27
  coordination v1 1.14, v1beta1 1.12 1.21
  discovery v1 1.21, v1beta1 1.17 1.24, v1alpha1 1.16 1.20
  events v1 1.19, v1beta1 1.8 1.24
  extensions v1beta1 1.1 1.21
  flowcontrol v1alpha1 1.18 1.20, v1beta1 1.20 1.25, v1beta2 1.23, v1beta3 1.26
  networking v1 1.7, v1beta1 1.14 1.21, v1alpha1 1.25
  node v1 1.20, v1beta1 1.14 1.24, v1alpha1 1.12 1.21
  policy v1 1.21, v1beta1 1.5 1.24
  rbac v1 1.8, v1beta1 1.6 1.21, v1alpha1 1.5 1.22
  scheduling v1 1.14, v1beta1 1.11 1.21, v1alpha1 1.8 1.22
  storage v1 1.6, v1beta1 1.4 1.26, v1alpha1 1.9
`;

const Thing = struct(
  'test.v1.Thing',
  'A thing.',
  { metadata: f.struct(1, ObjectMeta, { presence: 'always', doc: 'Metadata.' }) },
  { typeMeta: true },
);

const next = (release: string): string => `1.${Number(release.split('.')[1]) + 1}`;

/** A definition with all versions of its group, in the order of the table above, which discovery sorts. */
function rowOf(line: string): ResourceType {
  const [, group = '', rest = ''] = /^(\S+) (.*)$/.exec(line.trim()) ?? [];
  return defineResource({
    group,
    resource: 'things',
    kind: 'Thing',
    namespaced: false,
    strategy: strategyOf(),
    versions: rest.split(', ').map((life) => {
      const [version = '', introduced = '', last] = life.split(' ');
      const removed = last === undefined ? {} : { removed: next(last) };
      return { version, schema: Thing, introduced, ...removed };
    }),
  });
}

const types = [
  ...builtinTypes.filter(({ resource }) => resource === 'namespaces'),
  ...lives.trim().split('\n').map(rowOf),
];

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion: { readonly version: string };
}

async function groupsIn(release: string): Promise<readonly Group[]> {
  await using api = await openDiscovery({ types, release });
  return (await api.get('/apis')).json.groups;
}

describe('order of groups and versions', () => {
  it('groups and versions of release 1.20 are in the observed order', async () => {
    const shown = (await groupsIn('1.20')).map(({ name, versions }) =>
      [name.replace(/\.orch\.io$/, ''), ...versions.map(({ version }) => version)].join(' '),
    );
    assert.deepEqual(shown, [
      'apiregistration v1 v1beta1',
      'apps v1',
      'events v1 v1beta1',
      'authentication v1 v1beta1',
      'authorization v1 v1beta1',
      'autoscaling v1 v2beta1 v2beta2',
      'batch v1 v1beta1',
      'certificates v1 v1beta1',
      'networking v1 v1beta1',
      'extensions v1beta1',
      'policy v1beta1',
      'rbac.authorization v1 v1beta1',
      'storage v1 v1beta1',
      'admissionregistration v1 v1beta1',
      'apiextensions v1 v1beta1',
      'scheduling v1 v1beta1',
      'coordination v1 v1beta1',
      'node v1 v1beta1',
      'discovery v1beta1',
      'flowcontrol.apiserver v1beta1',
    ]);
  });

  /** Spec 9.3, rule 4b: a release after the one that introduced it. */
  for (const [group, versions] of [
    ['apps', { '1.15': 'v1 v1beta2 v1beta1', '1.16': 'v1' }],
    [
      'autoscaling',
      {
        '1.22': 'v1 v2beta1 v2beta2',
        '1.23': 'v1 v2 v2beta1 v2beta2',
        '1.24': 'v2 v1 v2beta1 v2beta2',
        '1.26': 'v2 v1',
      },
    ],
    ['policy', { '1.20': 'v1beta1', '1.21': 'v1beta1 v1', '1.22': 'v1 v1beta1', '1.25': 'v1' }],
    ['discovery.orch.io', { '1.21': 'v1beta1 v1', '1.22': 'v1 v1beta1' }],
    ['events.orch.io', { '1.18': 'v1beta1', '1.19': 'v1beta1 v1', '1.20': 'v1 v1beta1' }],
    ['admissionregistration.orch.io', { '1.15': 'v1beta1', '1.16': 'v1beta1 v1', '1.17': 'v1 v1beta1' }],
    ['node.orch.io', { '1.19': 'v1beta1', '1.20': 'v1 v1beta1' }],
    [
      'flowcontrol.apiserver.orch.io',
      {
        '1.22': 'v1beta1',
        '1.23': 'v1beta1 v1beta2',
        '1.24': 'v1beta2 v1beta1',
        '1.26': 'v1beta2 v1beta3',
        '1.27': 'v1beta3 v1beta2',
      },
    ],
  ] as const) {
    it(`the preferred version of ${group} advances one release after its introduction`, async () => {
      for (const [release, expected] of Object.entries(versions)) {
        const found = (await groupsIn(release)).find(({ name }) => name === group);
        assert.equal(found?.versions.map(({ version }) => version).join(' '), expected, release);
        assert.equal(found?.preferredVersion.version, expected.split(' ')[0], release);
      }
    });
  }
});

describe('hash of the storage version', () => {
  const hashOf = async (release: string, path: string): Promise<string> => {
    await using api = await openDiscovery({ types, release });
    return (await api.get(path)).json.resources[0].storageVersionHash;
  };

  it('the hash is equal in all served versions, and changes with the storage version', async () => {
    const path = (version: string) => `/apis/policy/${version}`;
    const before = await hashOf('1.21', path('v1'));
    assert.equal(await hashOf('1.21', path('v1beta1')), before);
    assert.equal(await hashOf('1.20', path('v1beta1')), before);
    assert.notEqual(await hashOf('1.22', path('v1beta1')), before);
  });
});
