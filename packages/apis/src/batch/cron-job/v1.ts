import { f, struct } from '@orch/schema';
import { ObjectReference } from '../../core/shared/references.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { JobSpec } from '../job/index.ts';

export const JobTemplateSpec = struct(
  'batch.v1.JobTemplateSpec',
  'Metadata and specification of the jobs that are created from it.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Labels and annotations of the jobs.',
      presence: 'always',
      validatedSince: 'never',
    }),
    spec: f.struct(2, JobSpec, { doc: 'Desired state of the object.', presence: 'always', shared: true }),
  },
);

export const CronJobSpec = struct('batch.v1.CronJobSpec', 'Schedule and template of jobs.', {
  schedule: f.string(1, {
    doc: 'When jobs are created, in the format of cron: minute, hour, day of month, month, day of week; or a macro such as `@daily`.',
    presence: 'always',
    required: true,
  }),
  timeZone: f.string(8, {
    doc: 'Name of the time zone of the schedule; that of the controller when absent.',
    presence: 'pointer',
    since: '1.25',
    gate: 'CronJobTimeZone',
  }),
  startingDeadlineSeconds: f.int64(2, {
    doc: 'Seconds after its scheduled time in which a job may still be created; later it is skipped.',
    presence: 'pointer',
    min: 0,
  }),
  concurrencyPolicy: f.string(3, {
    doc: 'When the previous job still runs: Allow runs both, Forbid skips the new one, Replace terminates the old one.',
    default: 'Allow',
    enum: ['Allow', 'Forbid', 'Replace'],
  }),
  suspend: f.bool(4, { doc: 'While true, no jobs are created.', presence: 'pointer', default: false }),
  jobTemplate: f.struct(5, JobTemplateSpec, {
    doc: 'Template of the jobs.',
    presence: 'always',
    openapiRequired: true,
  }),
  successfulJobsHistoryLimit: f.int32(6, {
    doc: 'How many jobs that succeeded are kept.',
    presence: 'pointer',
    default: 3,
    min: 0,
  }),
  failedJobsHistoryLimit: f.int32(7, {
    doc: 'How many jobs that failed are kept.',
    presence: 'pointer',
    default: 1,
    min: 0,
  }),
});

export const CronJobStatus = struct('batch.v1.CronJobStatus', 'The jobs of a CronJob.', {
  active: f.list(1, ObjectReference, { doc: 'Jobs that run.', listType: 'atomic' }),
  lastScheduleTime: f.time(4, { doc: 'When a job was last created.', presence: 'pointer' }),
  lastSuccessfulTime: f.time(5, {
    doc: 'When a job succeeded last.',
    presence: 'pointer',
    since: '1.21',
  }),
});

export const CronJob = struct(
  'batch.v1.CronJob',
  'Creates jobs on a schedule.',
  {
    metadata: metadataField,
    spec: specField(CronJobSpec, { openapiRequired: { since: '1.36', is: true } }),
    status: statusField(CronJobStatus),
  },
  { typeMeta: true },
);
