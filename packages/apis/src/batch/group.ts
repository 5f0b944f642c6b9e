import { defineResource, statusSubresource } from '../define-resource.ts';
import { fieldReader } from '../field-reader.ts';
import { asNumber, statusOf } from '../read.ts';
import type { KindDeclaration } from '../registry.ts';
import type { KindVersion, ResourceType } from '../resource-type.ts';
import { JobTemplate } from './cron-job/job-template.ts';
import { cronJobStrategy, earlierCronJobs } from './cron-job/strategy.ts';
import { CronJob } from './cron-job/v1.ts';
import { earlierJobs, jobStrategy } from './job/strategy.ts';
import { Job } from './job/v1.ts';
import { cronJobTable, jobTable } from './shared/tables.ts';

const SUCCESSFUL = 'status.successful';

/** Versions before v1: jobs stayed when their CronJob went, and it could be selected by what jobs alone have. */
const earlier: KindVersion['differs'] = {
  strategy: { orphanByDefault: true },
  fields: { [SUCCESSFUL]: SUCCESSFUL },
};

/** Jobs that it makes are named after it and the time: 11 characters more. */
const MAX_CRON_JOB_NAME = 52;

export const cronJobs: ResourceType = defineResource({
  group: 'batch',
  resource: 'cronjobs',
  kind: 'CronJob',
  namespaced: true,
  shortNames: ['cj'],
  categories: ['all'],
  versions: [
    { version: 'v1', schema: CronJob, introduced: '1.21', differs: { fields: {} } },
    {
      version: 'v1beta1',
      schema: CronJob,
      introduced: '1.8',
      deprecated: '1.21',
      removed: '1.25',
      differs: earlier,
    },
    { version: 'v2alpha1', schema: CronJob, introduced: '1.5', removed: '1.21', differs: earlier },
  ],
  maxNameLength: MAX_CRON_JOB_NAME,
  table: cronJobTable,
  strategy: cronJobStrategy,
  subresources: [statusSubresource('CronJob', 'batch')],
  fields: { [SUCCESSFUL]: fieldReader([], () => '') },
  earlier: earlierCronJobs,
});

export const jobs: ResourceType = defineResource({
  group: 'batch',
  resource: 'jobs',
  kind: 'Job',
  namespaced: true,
  categories: ['all'],
  versions: [{ version: 'v1', schema: Job, introduced: '1.2' }],
  table: jobTable,
  strategy: jobStrategy,
  subresources: [statusSubresource('Job', 'batch')],
  fields: {
    [SUCCESSFUL]: fieldReader(['status.succeeded'], (job) => String(asNumber(statusOf(job)['succeeded']))),
  },
  earlier: earlierJobs,
});

/** The resources of the group, in discovery order. */
export const batchTypes: readonly ResourceType[] = [cronJobs, jobs];

/** Kinds that no resource serves. */
export const batchKinds: readonly KindDeclaration[] = [
  { group: 'batch', version: 'v1beta1', kind: 'JobTemplate', schema: JobTemplate },
  { group: 'batch', version: 'v2alpha1', kind: 'JobTemplate', schema: JobTemplate },
];
