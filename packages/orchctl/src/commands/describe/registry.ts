import type { DiscoveredResource } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { Describer } from './describer.ts';
import { certificateSigningRequest } from './kinds/access/certificate-signing-request.ts';
import { clusterRoleBinding, roleBinding } from './kinds/access/role-bindings.ts';
import { clusterRole, role } from './kinds/access/roles.ts';
import { secret } from './kinds/access/secret.ts';
import { serviceAccount } from './kinds/access/service-account.ts';
import { configMap } from './kinds/cluster/config-map.ts';
import { limitRange } from './kinds/cluster/limit-range.ts';
import { namespace } from './kinds/cluster/namespace.ts';
import { node } from './kinds/cluster/node.ts';
import { resourceQuota } from './kinds/cluster/resource-quota.ts';
import { endpointSlice } from './kinds/network/endpoint-slice.ts';
import { endpoints } from './kinds/network/endpoints.ts';
import { extensionsIngress, ingress } from './kinds/network/ingress.ts';
import { ingressClass } from './kinds/network/ingress-class.ts';
import { ipAddress } from './kinds/network/ip-address.ts';
import { networkPolicy } from './kinds/network/network-policy.ts';
import { service } from './kinds/network/service.ts';
import { serviceCidr } from './kinds/network/service-cidr.ts';
import { csiNode } from './kinds/storage/csi-node.ts';
import { persistentVolume } from './kinds/storage/persistent-volume.ts';
import { persistentVolumeClaim } from './kinds/storage/persistent-volume-claim.ts';
import { storageClass } from './kinds/storage/storage-class.ts';
import { volumeAttributesClass } from './kinds/storage/volume-attributes-class.ts';
import { cronJob } from './kinds/workloads/cron-job.ts';
import { daemonSet } from './kinds/workloads/daemon-set.ts';
import { deployment } from './kinds/workloads/deployment.ts';
import { horizontalPodAutoscaler } from './kinds/workloads/horizontal-pod-autoscaler.ts';
import { job } from './kinds/workloads/job.ts';
import { pod } from './kinds/workloads/pod.ts';
import { podDisruptionBudget } from './kinds/workloads/pod-disruption-budget.ts';
import { priorityClass } from './kinds/workloads/priority-class.ts';
import { replicaSet } from './kinds/workloads/replica-set.ts';
import { replicationController } from './kinds/workloads/replication-controller.ts';
import { statefulSet } from './kinds/workloads/stateful-set.ts';

/** The kinds that are not described by their fields alone. */
export const describers: readonly Describer[] = [
  ...[configMap, endpoints, limitRange, namespace, node, persistentVolume, persistentVolumeClaim, pod],
  ...[replicationController, resourceQuota, secret, service, serviceAccount],
  ...[daemonSet, deployment, replicaSet, statefulSet, cronJob, job, horizontalPodAutoscaler],
  ...[endpointSlice, extensionsIngress, ingress, ingressClass, ipAddress, networkPolicy, serviceCidr],
  ...[clusterRole, clusterRoleBinding, role, roleBinding, certificateSigningRequest],
  ...[csiNode, storageClass, volumeAttributesClass, podDisruptionBudget, priorityClass],
];

/** How the objects of a resource are read and described. */
export interface Found {
  readonly describer: Describer;
  /** The resource in the version that the describer reads. */
  readonly resource: DiscoveredResource;
}

/** The describer of a resource; undefined for kinds that are described by their fields, and for versions that are not known. */
export function describerFor(
  resource: DiscoveredResource,
  served: readonly DiscoveredResource[],
  names: Names,
): Found | undefined {
  const groupKey = names.groupKey(resource.group);
  const describer = describers.find(({ group, kind }) => group === groupKey && kind === resource.kind);
  if (describer === undefined) return undefined;
  const group = names.group(describer.readGroup ?? describer.group);
  for (const version of describer.versions) {
    const found = served.find(
      (one) => one.group === group && one.version === version && one.kind === resource.kind,
    );
    if (found !== undefined) return { describer, resource: found };
  }
  return undefined;
}
