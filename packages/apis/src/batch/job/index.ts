import type * as batch from '@orch/kinds/batch';
import { defineResource, statusSubresource } from '../../define-resource.ts';
import { fieldReader } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { SUCCESSFUL } from '../shared/successful.ts';
import { earlierJobs, jobStrategy } from './strategy.ts';
import { jobTable } from './table.ts';
import { Job } from './v1.ts';

export { JobSpec } from './v1.ts';
export { jobSpecWarnings } from './warnings.ts';

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
    [SUCCESSFUL]: fieldReader<batch.Job>(['status.succeeded'], (job) => String(job.status?.succeeded ?? 0)),
  },
  earlier: earlierJobs,
});
