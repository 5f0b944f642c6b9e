import type { DiscoveredResource } from '@orch/client';
import type { Names } from '@orch/machinery';
import type { Describer } from './describer.ts';
import { certificateSigningRequest } from './kinds/certificate-signing-request.ts';
import { configMap } from './kinds/config-map.ts';
import { cronJob } from './kinds/cron-job.ts';
import { csiNode } from './kinds/csi-node.ts';
import { daemonSet } from './kinds/daemon-set.ts';
import { deployment } from './kinds/deployment.ts';
import { endpointSlice } from './kinds/endpoint-slice.ts';
import { endpoints } from './kinds/endpoints.ts';
import { horizontalPodAutoscaler } from './kinds/horizontal-pod-autoscaler.ts';
import { extensionsIngress, ingress } from './kinds/ingress.ts';
import { ingressClass } from './kinds/ingress-class.ts';
import { ipAddress } from './kinds/ip-address.ts';
import { job } from './kinds/job.ts';
import { limitRange } from './kinds/limit-range.ts';
import { namespace } from './kinds/namespace.ts';
import { networkPolicy } from './kinds/network-policy.ts';
import { node } from './kinds/node.ts';
import { persistentVolume } from './kinds/persistent-volume.ts';
import { persistentVolumeClaim } from './kinds/persistent-volume-claim.ts';
import { pod } from './kinds/pod.ts';
import { podDisruptionBudget } from './kinds/pod-disruption-budget.ts';
import { priorityClass } from './kinds/priority-class.ts';
import { replicaSet } from './kinds/replica-set.ts';
import { replicationController } from './kinds/replication-controller.ts';
import { resourceQuota } from './kinds/resource-quota.ts';
import { clusterRoleBinding, roleBinding } from './kinds/role-bindings.ts';
import { clusterRole, role } from './kinds/roles.ts';
import { secret } from './kinds/secret.ts';
import { service } from './kinds/service.ts';
import { serviceAccount } from './kinds/service-account.ts';
import { serviceCidr } from './kinds/service-cidr.ts';
import { statefulSet } from './kinds/stateful-set.ts';
import { storageClass } from './kinds/storage-class.ts';
import { volumeAttributesClass } from './kinds/volume-attributes-class.ts';

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
