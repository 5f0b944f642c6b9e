import { bootstrapSigner } from './bootstrap-signer/descriptor.ts';
import { csrApproving, csrCleaner, csrSigning } from './certificates/descriptors.ts';
import { clusterRoleAggregation } from './cluster-role-aggregation/descriptor.ts';
import { cronJob } from './cronjob/descriptor.ts';
import { daemonSet } from './daemonset/descriptor.ts';
import { deployment } from './deployment/descriptor.ts';
import type { ControllerDescriptor } from './descriptor.ts';
import { endpointSlice } from './endpointslice/descriptor.ts';
import { garbageCollector } from './garbage-collector/descriptor.ts';
import { job } from './job/descriptor.ts';
import { namespace } from './namespace/descriptor.ts';
import { nodeTtl } from './node-ttl/descriptor.ts';
import { podGc } from './pod-gc/descriptor.ts';
import { podGroupProtection } from './pod-group-protection/descriptor.ts';
import { replicaSet } from './replicaset/descriptor.ts';
import { resourceQuota } from './resource-quota/descriptor.ts';
import { rootCaPublisher } from './root-ca/descriptor.ts';
import { serviceAccount } from './service-account/descriptor.ts';
import { serviceAccountToken } from './service-account-token/descriptor.ts';
import { statefulSet } from './statefulset/descriptor.ts';
import { storageVersionMigrator } from './storage-version-migrator/descriptor.ts';
import { tokenCleaner } from './token-cleaner/descriptor.ts';
import { ttlAfterFinished } from './ttl-after-finished/descriptor.ts';
import { pvcProtection, pvProtection, vacProtection } from './volume-protection/descriptor.ts';

/** Every controller, in the order in which they are started. */
export const allControllers: readonly ControllerDescriptor[] = [
  namespace,
  garbageCollector,
  serviceAccount,
  serviceAccountToken,
  rootCaPublisher,
  csrApproving,
  csrSigning,
  csrCleaner,
  bootstrapSigner,
  tokenCleaner,
  clusterRoleAggregation,
  resourceQuota,
  podGc,
  ttlAfterFinished,
  pvcProtection,
  pvProtection,
  vacProtection,
  podGroupProtection,
  nodeTtl,
  storageVersionMigrator,
  replicaSet,
  deployment,
  job,
  statefulSet,
  endpointSlice,
  daemonSet,
  cronJob,
];
