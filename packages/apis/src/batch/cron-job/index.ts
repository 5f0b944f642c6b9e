import type * as batch from '@orch/kinds/batch';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import { fieldReader } from '../../field-reader.ts';
import type { KindVersion, ReleaseDifference, ResourceType, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { SUCCESSFUL } from '../shared/successful.ts';
import { cronJobTable } from './table.ts';
import { CronJob } from './v1.ts';
import { validateCronJob } from './validation/spec.ts';
import { cronJobWarnings } from './warnings.ts';

export { JobTemplate } from './job-template.ts';

/** Before v1, deletion orphaned the jobs of a CronJob, and it could be selected by fields that only jobs have. */
const earlier: KindVersion['differs'] = {
  strategy: { orphanByDefault: true },
  fields: { [SUCCESSFUL]: SUCCESSFUL },
};

/** Names of its jobs consist of its name and the time, which takes 11 more characters. */
const MAX_CRON_JOB_NAME = 52;

const cronJobStrategy: Strategy<batch.CronJob> = strategyOf({
  generation: 'spec',
  resetStatus: true,
  prepareForUpdate: keepStatus,
  validate: validateCronJob,
  warnings: cronJobWarnings,
  through: { status: statusRules() },
});

/** Strategies of older releases. */
const earlierCronJobs: readonly ReleaseDifference[] = [
  { before: '1.21', change: { strategy: { ...cronJobStrategy, generation: 'none' } } },
];

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
  fields: { [SUCCESSFUL]: fieldReader<batch.CronJob>([], () => '') },
  earlier: earlierCronJobs,
});
