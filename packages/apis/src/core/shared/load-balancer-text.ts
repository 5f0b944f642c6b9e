import { asObjects, asText, type JsonObject } from '../../read.ts';

/** Where a load balancer accepts traffic: addresses or names, in order. */
export function loadBalancerText(status: JsonObject): string {
  const found = asObjects(status['ingress']).map(
    (ingress) => asText(ingress['ip']) || asText(ingress['hostname']),
  );
  return [...new Set(found.filter((text) => text !== ''))].sort().join(',');
}
