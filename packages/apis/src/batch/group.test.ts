import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { specOf } from '@orch/machinery/json';
import { findKind } from '../find-kind.ts';
import { typeIn, typesAt } from '../lifecycle.ts';
import { getPath } from '../testing/set-path.ts';
import { type Written, writePath } from '../testing/write-path.ts';
import { cronJobs } from './cron-job/index.ts';
import { batchGroup } from './group.ts';

const jobTemplate = {
  spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'OnFailure' } } },
};
const causes = (written: Written): readonly string[] =>
  written.errors.map(({ type, field }) => `${type} ${field}`);

describe('the batch group', () => {
  for (const [release, served] of [
    ['1.15', ['cronjobs v1beta1', 'jobs v1']],
    ['1.20', ['cronjobs v1beta1', 'jobs v1']],
    ['1.21', ['cronjobs v1', 'cronjobs v1beta1', 'jobs v1']],
    ['1.24', ['cronjobs v1', 'cronjobs v1beta1', 'jobs v1']],
    ['1.25', ['cronjobs v1', 'jobs v1']],
  ] as const) {
    it(`the batch group of ${release} serves ${served.join(', ')}`, () => {
      const definitions = typesAt(release, batchGroup.types);
      assert.deepEqual(
        definitions.flatMap((definition) =>
          definition.served.map(({ version }) => `${definition.resource} ${version}`),
        ),
        served,
      );
    });
  }

  it('the batch group serves v2alpha1 where it is enabled, until 1.20', () => {
    const versions = (release: string): readonly string[] =>
      typesAt(release, [cronJobs], () => true)[0]?.served.map(({ version }) => version) ?? [];
    assert.deepEqual(versions('1.20'), ['v1beta1', 'v2alpha1']);
    assert.deepEqual(versions('1.21'), ['v1', 'v1beta1']);
  });

  it('the batch group has job templates as a kind without a resource', () => {
    for (const version of ['v1beta1', 'v2alpha1'])
      assert.equal(findKind('batch', version, 'JobTemplate')?.schema.name, 'batch.v1beta1.JobTemplate');
  });
});

describe('cron jobs', () => {
  it('cron jobs take their jobs with them, but through older versions', () => {
    const [definition] = typesAt('1.24', [cronJobs]);
    assert.ok(definition);
    const orphan = definition.served.map((version) => [
      version.version,
      typeIn(definition, version).strategy.orphanByDefault ?? false,
    ]);
    assert.deepEqual(orphan, [
      ['v1', false],
      ['v1beta1', true],
    ]);
  });

  it('cron jobs are selected by a label that jobs have, through older versions', () => {
    assert.equal(cronJobs.fields['status.successful']?.({ metadata: {} }), '');
    const labels = cronJobs.versions.map(({ version, differs }) => [
      version,
      Object.keys(differs?.fields ?? cronJobs.fields),
    ]);
    assert.deepEqual(labels, [
      ['v1', []],
      ['v1beta1', ['status.successful']],
      ['v2alpha1', ['status.successful']],
    ]);
  });

  it('cron jobs count changes from 1.21 on', () => {
    const generation = (release: string) => typesAt(release, [cronJobs])[0]?.strategy.generation;
    assert.deepEqual(['1.20', '1.21'].map(generation), ['none', 'spec']);
  });

  it('cron jobs do not default what their jobs default', () => {
    const { object } = writePath().create(cronJobs, {
      metadata: { name: 'c' },
      spec: { schedule: '@daily', jobTemplate },
    });
    const spec = getPath(object, 'spec.jobTemplate.spec') as object;
    assert.deepEqual(Object.keys(spec), ['template']);
  });

  const create = (release: string, spec: object, gates: readonly string[] = []): Written =>
    writePath(namesFor('orch'), release, { openGates: new Set(gates) }).create(cronJobs, {
      metadata: { name: 'c' },
      spec: { schedule: '0 6 * * *', jobTemplate, ...spec },
    });

  it('cron jobs have a time zone from 1.25 on, and before behind a gate', () => {
    const zone = { timeZone: 'Europe/Berlin' };
    const of = (release: string, gates?: readonly string[]): unknown =>
      getPath(create(release, zone, gates).object, 'spec.timeZone');
    assert.deepEqual(
      [of('1.24'), of('1.24', ['CronJobTimeZone']), of('1.25')],
      [undefined, 'Europe/Berlin', 'Europe/Berlin'],
    );
  });

  for (const [timeZone, expected] of [
    ['UTC', []],
    ['', ['FieldValueInvalid spec.timeZone']],
    ['Local', ['FieldValueInvalid spec.timeZone']],
    ['Europe/Nowhere', ['FieldValueInvalid spec.timeZone']],
    ['+02:00', ['FieldValueInvalid spec.timeZone']],
  ] as const) {
    it(`cron jobs ${expected.length === 0 ? 'take' : 'refuse'} the time zone ${JSON.stringify(timeZone)}`, () =>
      assert.deepEqual(causes(create('1.25', { timeZone })), expected));
  }

  it('cron jobs name one time zone, not two', () => {
    const schedule = 'CRON_TZ=UTC 0 6 * * *';
    assert.deepEqual(causes(create('1.25', { schedule })), []);
    assert.deepEqual(causes(create('1.25', { schedule, timeZone: 'UTC' })), [
      'FieldValueInvalid spec.schedule',
    ]);
  });

  it('cron jobs keep the time zone that an earlier release has stored in their schedule', () => {
    const { object } = create('1.28', { schedule: 'TZ=UTC 0 6 * * *' });
    const later = { ...object, spec: { ...specOf(object), schedule: 'TZ=UTC 0 7 * * *' } };
    const path = writePath(undefined, '1.29');
    assert.deepEqual(causes(path.update(cronJobs, object, later)), []);
    const withoutZone = { ...object, spec: { ...specOf(object), schedule: '0 6 * * *' } };
    assert.deepEqual(causes(path.update(cronJobs, withoutZone, later)), ['FieldValueInvalid spec.schedule']);
  });

  it('cron jobs keep a time zone that the server no longer supports', () => {
    const path = writePath(undefined, '1.25');
    const { object } = create('1.25', { timeZone: 'UTC' });
    (object['spec'] as Record<string, unknown>)['timeZone'] = 'Europe/Nowhere';
    assert.deepEqual(causes(path.update(cronJobs, object, object)), []);
  });

  it('cron jobs have names to which a time can be added', () => {
    const named = (length: number): readonly string[] =>
      causes(
        writePath().create(cronJobs, {
          metadata: { name: 'a'.repeat(length) },
          spec: { schedule: '@daily', jobTemplate },
        }),
      );
    assert.deepEqual([named(52), named(53)], [[], ['FieldValueInvalid metadata.name']]);
  });

  it('cron jobs check their jobs as jobs are', () => {
    const spec = {
      jobTemplate: { spec: { ...jobTemplate.spec, completionMode: 'Indexed', parallelism: -1 } },
    };
    assert.deepEqual(causes(create('1.24', spec)), [
      'FieldValueInvalid spec.jobTemplate.spec.parallelism',
      'FieldValueRequired spec.jobTemplate.spec.completions',
    ]);
  });
});
