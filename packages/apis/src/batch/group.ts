import type { KindDeclaration } from '../kind-declaration.ts';
import type { ResourceType } from '../resource-type.ts';
import { cronJobs, JobTemplate } from './cron-job/index.ts';
import { jobs } from './job/index.ts';

/** The resources of the group, in discovery order. */
export const batchTypes: readonly ResourceType[] = [cronJobs, jobs];

/** Kinds that no resource serves. */
export const batchKinds: readonly KindDeclaration[] = [
  { group: 'batch', version: 'v1beta1', kind: 'JobTemplate', schema: JobTemplate },
  { group: 'batch', version: 'v2alpha1', kind: 'JobTemplate', schema: JobTemplate },
];
