import type { LoadBalancerStatus } from '@orch/kinds/core';

/** The addresses or names of a load balancer, in order. */
export function loadBalancerText(status: LoadBalancerStatus): string {
  const found = (status.ingress ?? []).map((ingress) => (ingress.ip ?? '') || (ingress.hostname ?? ''));
  return [...new Set(found.filter((text) => text !== ''))].sort().join(',');
}
