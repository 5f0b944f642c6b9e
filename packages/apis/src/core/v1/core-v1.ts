import type { StructSchema } from '@orch/schema';
import type { ResourceType } from '../../resource-type.ts';
import { bindings } from './binding.ts';
import { componentStatuses } from './component-status.ts';
import { configMaps } from './config-map.ts';
import { endpoints } from './endpoints.ts';
import { events } from './event.ts';
import { limitRanges } from './limit-range.ts';
import { namespaces } from './namespace.ts';
import { nodes } from './node.ts';
import { persistentVolumes } from './persistent-volume.ts';
import { persistentVolumeClaims } from './persistent-volume-claim.ts';
import {
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
} from './pod/options.ts';
import { pods } from './pod.ts';
import { podTemplates } from './pod-template.ts';
import { NodeProxyOptions, ServiceProxyOptions } from './proxy-options.ts';
import { replicationControllers } from './replication-controller.ts';
import { resourceQuotas } from './resource-quota.ts';
import { secrets } from './secret.ts';
import { services } from './service.ts';
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
