import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { struct } from '@orch/schema';
import { defineResource, strategyOf } from './define-resource.ts';
import { RuntimeConfigError, runtimeConfig } from './runtime-config.ts';

const schema = struct('test.Thing', 'A thing.', {});
const definition = (group: string, resource: string, versions: readonly string[]) =>
  defineResource({
    group,
    resource,
    kind: 'Thing',
    namespaced: true,
    strategy: strategyOf(),
    versions: versions.map((version) => ({ version, schema })),
  });
const later = {
  ...definition('storagemigration', 'things', []),
  versions: [{ version: 'v1', schema, onlyByName: true }],
};
const types = [
  definition('', 'pods', ['v1']),
  definition('batch', 'jobs', ['v1']),
  definition('batch', 'cronjobs', ['v1', 'v1beta1', 'v2alpha1']),
  definition('storage', 'storageclasses', ['v1']),
  later,
];

const serves = (
  settings: readonly string[],
  name: string,
  naming: 'orch' | 'kubernetes' = 'orch',
): boolean => {
  const [group = '', version, resource] = name.split('/');
  const type = types.find((one) => one.group === group.replace('core', '') && one.resource === resource);
  const served = type?.versions.find((one) => one.version === version);
  assert.ok(type !== undefined && served !== undefined);
  return runtimeConfig(settings, types, namesFor(naming))(type, served, '1.24');
};

it('a kind is part of all versions from the release on that introduced it', () => {
  const version = { version: 'v1alpha1', schema, onlyByName: { before: '1.30' } };
  const type = { ...later, versions: [version] };
  const isServed = (setting: string, release: string): boolean =>
    runtimeConfig([setting], [type], namesFor('orch'))(type, version, release);
  assert.deepEqual(
    ['1.29', '1.30'].map((release) => isServed('api/all=true', release)),
    [false, true],
  );
  assert.equal(isServed('storagemigration.orch.io/v1alpha1=true', '1.29'), true);
  assert.equal(isServed('api/ga=true', '1.30'), false);
});

describe('settings of --runtime-config', () => {
  for (const [title, settings, name, expected] of [
    ['leaves everything as it is when it says nothing', [], 'batch/v1/jobs', true],
    ['leaves alpha versions out when it says nothing', [], 'batch/v2alpha1/cronjobs', false],
    ['takes a version out', ['batch/v1=false'], 'batch/v1/jobs', false],
    ['takes nothing but that version out', ['batch/v1=false'], 'batch/v1beta1/cronjobs', true],
    ['adds a version; a missing value is true', ['batch/v2alpha1'], 'batch/v2alpha1/cronjobs', true],
    ['reads an empty value as true', ['batch/v2alpha1='], 'batch/v2alpha1/cronjobs', true],
    ['adds one resource of a version', ['batch/v2alpha1/cronjobs'], 'batch/v2alpha1/cronjobs', true],
    ['takes one resource out', ['batch/v1/jobs=false'], 'batch/v1/jobs', false],
    ['takes no other resource out', ['batch/v1/jobs=false'], 'batch/v1/cronjobs', true],
    [
      'lets the resource overrule its version',
      ['batch/v1/jobs=true', 'batch/v1=false'],
      'batch/v1/jobs',
      true,
    ],
    ['speaks of all versions', ['api/all=false'], 'core/v1/pods', false],
    ['speaks of a level', ['api/beta=false'], 'batch/v1beta1/cronjobs', false],
    ['speaks of alpha versions', ['api/alpha=true'], 'batch/v2alpha1/cronjobs', true],
    ['lets a level overrule all', ['api/all=false', 'api/ga=true'], 'batch/v1/jobs', true],
    ['lets a version overrule its level', ['api/all=false', 'v1=true'], 'core/v1/pods', true],
    ['knows the core group by its older key', ['api/v1=false'], 'core/v1/pods', false],
    ['lets the last of two equal keys count', ['batch/v1=false', 'batch/v1=true'], 'batch/v1/jobs', true],
    ['leaves kinds of later releases out', [], 'storagemigration/v1/things', false],
    ['leaves kinds of later releases out of all', ['api/all=true'], 'storagemigration/v1/things', false],
    ['leaves kinds of later releases out of a level', ['api/ga=true'], 'storagemigration/v1/things', false],
    [
      'adds a kind of a later release by its version',
      ['storagemigration.orch.io/v1=true'],
      'storagemigration/v1/things',
      true,
    ],
    [
      'adds a kind of a later release by its resource',
      ['storagemigration.orch.io/v1/things'],
      'storagemigration/v1/things',
      true,
    ],
  ] as const) {
    it(title, () => assert.equal(serves(settings, name), expected));
  }

  it('--runtime-config accepts groups under the names of the naming', () => {
    assert.equal(serves(['storage.k8s.io/v1=false'], 'storage/v1/storageclasses', 'kubernetes'), false);
    assert.throws(() => serves(['storage.k8s.io/v1=false'], 'storage/v1/storageclasses'), RuntimeConfigError);
  });

  for (const [setting, problem] of [
    ['bacth/v1=false', /unknown API "bacth\/v1": must be group\/version/],
    ['batch/v1/pods', /unknown API/],
    ['batch=false', /unknown API "batch"/],
    ['api/gamma=true', /unknown API/],
    ['batch/v1=perhaps', /invalid value "perhaps" of batch\/v1: must be true or false/],
  ] as const) {
    it(`--runtime-config rejects the setting ${setting}`, () =>
      assert.throws(() => serves([setting], 'batch/v1/jobs'), problem));
  }
});
