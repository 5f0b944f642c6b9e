import type { StructSchema } from '@orch/schema';
import type { ResourceType } from '../resource-type.ts';
import { bindings } from './binding.ts';
import { componentStatuses } from './component-status.ts';
import { configMaps } from './config-map.ts';
import { endpoints } from './endpoints/v1.ts';
import { events } from './event/v1.ts';
import { limitRanges } from './limit-range/index.ts';
import { namespaces } from './namespace/v1.ts';
import { nodes } from './node/v1.ts';
import { persistentVolumes } from './persistent-volume/v1.ts';
import { persistentVolumeClaims } from './persistent-volume-claim/v1.ts';
import {
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
} from './pod/options.ts';
import { pods } from './pod/v1.ts';
import { podTemplates } from './pod-template.ts';
import { replicationControllers } from './replication-controller/v1.ts';
import { resourceQuotas } from './resource-quota/index.ts';
import { secrets } from './secret/index.ts';
import { NodeProxyOptions, ServiceProxyOptions } from './service/options.ts';
import { services } from './service/v1.ts';
import { serviceAccounts } from './service-account.ts';

/** The resources of the core group, in discovery order. */
export const coreV1Types: readonly ResourceType[] = [
  bindings,
  componentStatuses,
  configMaps,
  endpoints,
  events,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  services,
];

/** Kinds of the core group that only name the query options of subresources. */
export const coreV1Kinds: readonly StructSchema[] = [
  NodeProxyOptions,
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  ServiceProxyOptions,
];
