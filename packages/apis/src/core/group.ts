import type { GroupDeclaration } from '../group-declaration.ts';
import { kindOf } from '../kind-declaration.ts';
import { bindings } from './binding.ts';
import { componentStatuses } from './component-status.ts';
import { configMaps } from './config-map.ts';
import { endpoints } from './endpoints/index.ts';
import { events } from './event/index.ts';
import { limitRanges } from './limit-range/index.ts';
import { namespaces } from './namespace/index.ts';
import { NodeProxyOptions, nodes } from './node/index.ts';
import { persistentVolumes } from './persistent-volume/index.ts';
import { persistentVolumeClaims } from './persistent-volume-claim/index.ts';
import {
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  pods,
} from './pod/index.ts';
import { podTemplates } from './pod-template.ts';
import { replicationControllers } from './replication-controller/index.ts';
import { resourceQuotas } from './resource-quota/index.ts';
import { secrets } from './secret/index.ts';
import { ServiceProxyOptions, services } from './service/index.ts';
import { serviceAccounts } from './service-account.ts';

export const coreGroup: GroupDeclaration = {
  key: '',
  priority: 18_000,
  versionPriorities: { v1: 1 },
  types: [
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
  ],
  kinds: [
    NodeProxyOptions,
    PodAttachOptions,
    PodExecOptions,
    PodLogOptions,
    PodPortForwardOptions,
    PodProxyOptions,
    ServiceProxyOptions,
  ].map((schema) => kindOf('', 'v1', schema)),
};
