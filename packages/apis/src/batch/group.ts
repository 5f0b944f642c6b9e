import type { GroupDeclaration } from '../group-declaration.ts';
import { cronJobs, JobTemplate } from './cron-job/index.ts';
import { jobs } from './job/index.ts';

export const batchGroup: GroupDeclaration = {
  key: 'batch',
  priority: 17_400,
  versionPriorities: { v1: 15, v1beta1: 9, v2alpha1: 9 },
  types: [cronJobs, jobs],
  kinds: [
    { group: 'batch', version: 'v1beta1', kind: 'JobTemplate', schema: JobTemplate },
    { group: 'batch', version: 'v2alpha1', kind: 'JobTemplate', schema: JobTemplate },
  ],
};
