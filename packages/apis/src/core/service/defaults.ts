import type { Derive } from '@orch/schema';
import { asObject, type JsonObject } from '../../read.ts';

const openToOutside = (spec: JsonObject): boolean =>
  spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

/** Traffic from outside may go to any node. */
export const externalTrafficPolicy = (spec: JsonObject): string | undefined =>
  openToOutside(spec) ? 'Cluster' : undefined;

/** Traffic from inside may go to any node; services that are only an alias have none. */
export const internalTrafficPolicy = (spec: JsonObject): string | undefined =>
  openToOutside(spec) || spec['type'] === 'ClusterIP' ? 'Cluster' : undefined;

export const loadBalancerNodePorts = (spec: JsonObject): boolean | undefined =>
  spec['type'] === 'LoadBalancer' ? true : undefined;

/** The pods listen on the port of the service. */
export const samePort = (port: JsonObject): unknown => port['port'];

const affinitySeconds = 10_800;

/** Session affinity has a duration; without affinity its details are dropped. */
export const deriveSessionAffinity: Derive = (spec) => {
  const config = spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') {
    if (config === undefined || spec['sessionAffinity'] !== 'None') return false;
    delete spec['sessionAffinityConfig'];
    return true;
  }
  const clientIP = asObject(asObject(config)['clientIP']);
  if (clientIP['timeoutSeconds'] !== undefined) return false;
  spec['sessionAffinityConfig'] = { clientIP: { ...clientIP, timeoutSeconds: affinitySeconds } };
  return true;
};
