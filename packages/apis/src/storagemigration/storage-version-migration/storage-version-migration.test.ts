import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { DEFAULT_EMULATED_RELEASE, typesAt } from '../../lifecycle.ts';
import { type WritePath, writePath } from '../../testing/write-path.ts';
import { storageVersionMigrations } from './index.ts';

const path = writePath();
const older = writePath(path.names, DEFAULT_EMULATED_RELEASE, { version: 'storagemigration/v1alpha1' });
const { migrationContinueToken, migrationProgress, migrationVersion } = path.names.annotations;

const migration = (resource: object, annotations?: object): object => ({
  metadata: { name: 'widgets', ...(annotations === undefined ? {} : { annotations }) },
  spec: { resource },
});
const widgets = { group: 'example.com', resource: 'widgets' };
const { object: created } = path.create(storageVersionMigrations, migration(widgets));

const condition = (type: string, status = 'True'): object => ({
  type,
  status,
  reason: 'Tested',
  message: '',
  lastTransitionTime: '2024-05-06T07:08:09Z',
});
const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);
const report = (stored: ApiObject, status: object, annotations?: object) =>
  path.update(
    storageVersionMigrations,
    stored,
    { ...stored, metadata: { ...stored.metadata, ...(annotations && { annotations }) }, status },
    'status',
  );

describe('storage version migrations', () => {
  for (const [title, resource, expected] of [
    ['a custom resource is accepted', widgets, []],
    ['a resource of the core group is accepted', { group: '', resource: 'secrets' }, []],
    ['no resource is refused', { group: 'apps' }, ['FieldValueRequired spec.resource.resource']],
    [
      'a resource that is not a name is refused',
      { resource: 'Pods/status' },
      ['FieldValueInvalid spec.resource.resource'],
    ],
    [
      'a group that is not a name is refused',
      { ...widgets, group: '-' },
      ['FieldValueInvalid spec.resource.group'],
    ],
  ] as const) {
    it(`a migration of ${title}`, () =>
      assert.deepEqual(causes(path.create(storageVersionMigrations, migration(resource)).errors), expected));
  }

  it('the resource of a migration is immutable', () => {
    const changed = { ...created, spec: { resource: { ...widgets, resource: 'gadgets' } } };
    assert.deepEqual(causes(path.update(storageVersionMigrations, created, changed).errors), [
      'FieldValueInvalid spec',
    ]);
  });

  it('clients of v1alpha1 name a version, which v1beta1 shows as an annotation', () => {
    const without = older.create(storageVersionMigrations, migration(widgets));
    assert.deepEqual(causes(without.errors), ['FieldValueRequired spec.resource.version']);
    const { object, errors } = older.create(
      storageVersionMigrations,
      migration({ ...widgets, version: 'v1' }),
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(object['spec'], { resource: widgets });
    assert.deepEqual(object.metadata.annotations, { [migrationVersion]: 'v1' });
    assert.deepEqual(older.show(storageVersionMigrations, object)['spec'], {
      resource: { ...widgets, version: 'v1' },
    });
  });

  describe('progress of storage version migrations', () => {
    const progress = { [migrationContinueToken]: 'abc', [migrationProgress]: '{}' };
    const other = { [migrationContinueToken]: 'xyz', note: 'mine' };
    const written = (by: WritePath, stored: ApiObject, annotations: object): object | undefined =>
      by.update(storageVersionMigrations, stored, {
        ...stored,
        metadata: { ...stored.metadata, annotations },
      }).object.metadata.annotations;

    it('a client cannot set the position of a migration', () => {
      const given = path.create(storageVersionMigrations, migration(widgets, { ...progress, note: 'mine' }));
      assert.deepEqual(given.object.metadata.annotations, { note: 'mine' });
      assert.deepEqual(written(path, created, other), { note: 'mine' });
      const throughOlder = older.create(storageVersionMigrations, {
        ...migration({ ...widgets, version: 'v1' }),
        spec: { resource: { ...widgets, version: 'v1' }, continueToken: 'xyz' },
      });
      assert.deepEqual(throughOlder.object.metadata.annotations, { [migrationVersion]: 'v1' });
    });

    it('the status subresource sets the position, which later writes of clients keep', () => {
      const { object: running } = report(created, {}, progress);
      assert.deepEqual(running.metadata.annotations, progress);
      assert.deepEqual(written(path, running, other), { ...progress, note: 'mine' });
      const shown = older.show(storageVersionMigrations, running);
      assert.deepEqual(shown['spec'], { resource: widgets, continueToken: 'abc' });
    });
  });

  it('a migration has no generation, since its spec cannot change', () =>
    assert.equal(storageVersionMigrations.strategy.generation, 'none'));

  it('a migration begins without a status', () => {
    const given = {
      ...migration(widgets),
      status: { resourceVersion: '5', conditions: [condition('Succeeded')] },
    };
    assert.deepEqual(path.create(storageVersionMigrations, given).object['status'], {});
  });

  for (const [title, before, status, expected] of [
    ['that runs is accepted', {}, { resourceVersion: '5', conditions: [condition('Running')] }, []],
    [
      'that has succeeded is accepted',
      { conditions: [condition('Running')] },
      { conditions: [condition('Running', 'False'), condition('Succeeded')] },
      [],
    ],
    [
      'with a start that is not a number is refused',
      {},
      { resourceVersion: 'x' },
      ['status.resourceVersion'],
    ],
    [
      'with another start is refused',
      { resourceVersion: '5' },
      { resourceVersion: '6' },
      ['status.resourceVersion'],
    ],
    [
      'with two results is refused',
      {},
      { conditions: [condition('Succeeded'), condition('Failed')] },
      ['status.conditions'],
    ],
    [
      'that runs and has failed is refused',
      {},
      { conditions: [condition('Running'), condition('Failed')] },
      ['status.conditions'],
    ],
    [
      'that takes its success back is refused',
      { conditions: [condition('Succeeded')] },
      { conditions: [condition('Succeeded', 'False')] },
      ['status.conditions'],
    ],
    [
      'that takes its failure back is refused',
      { conditions: [condition('Failed')] },
      {},
      ['status.conditions'],
    ],
  ] as const) {
    it(`a status of a migration ${title}`, () => {
      const { errors } = report({ ...created, status: before }, status);
      assert.deepEqual(
        errors.map(({ field }) => field),
        expected,
      );
    });
  }

  it('migrations are rows with their resource and state', () => {
    const cells = (stored: ApiObject) =>
      storageVersionMigrations.table?.cells(stored, path.names).slice(0, 3);
    assert.deepEqual(cells(created), ['widgets', 'widgets.example.com', 'Pending']);
    assert.deepEqual(cells({ ...created, spec: { resource: { group: '', resource: 'pods' } } })?.[1], 'pods');
    for (const state of ['Running', 'Succeeded', 'Failed'])
      assert.equal(cells({ ...created, status: { conditions: [condition(state)] } })?.[2], state);
  });

  it('every emulated release serves migrations only when they are enabled', () => {
    for (const release of ['1.15', '1.24', '1.27']) {
      assert.deepEqual(typesAt(release, [storageVersionMigrations]), []);
      const [row] = typesAt(release, [storageVersionMigrations], () => true);
      assert.deepEqual(
        [row?.stored.version, row?.served.map(({ version }) => version)],
        ['v1beta1', ['v1beta1', 'v1alpha1']],
      );
    }
  });
});
