import type { ServicePort, ServiceSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import type { DefaultContext, Derive } from '@orch/schema';
import { isOpenToOutside, isReachedFromOutside } from './reach.ts';

/** External traffic may go to any node. */
export const externalTrafficPolicy = (
  spec: ServiceSpec,
  _names: Names,
  { since }: DefaultContext,
): string | undefined => (isReachedFromOutside(spec, since) ? 'Cluster' : undefined);

/** Internal traffic may go to any node; services of type ExternalName have none. */
export const internalTrafficPolicy = (spec: ServiceSpec): string | undefined =>
  isOpenToOutside(spec) || spec.type === 'ClusterIP' ? 'Cluster' : undefined;

export const loadBalancerNodePorts = (spec: ServiceSpec): boolean | undefined =>
  spec.type === 'LoadBalancer' ? true : undefined;

/** The pods listen on the port of the service. */
export const samePort = (port: ServicePort): number | undefined => port.port;

const AFFINITY_SECONDS = 10_800;

/** Session affinity has a duration; without affinity its configuration is removed. */
export const deriveSessionAffinity: Derive<Draft<ServiceSpec>> = (spec) => {
  const config = spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') {
    if (config === undefined || spec.sessionAffinity !== 'None') return false;
    delete spec.sessionAffinityConfig;
    return true;
  }
  const clientIP = config?.clientIP ?? {};
  if (clientIP.timeoutSeconds !== undefined) return false;
  spec.sessionAffinityConfig = { clientIP: { ...clientIP, timeoutSeconds: AFFINITY_SECONDS } };
  return true;
};
