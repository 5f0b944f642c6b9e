import type { ServiceSpec } from '@orch/kinds/core';
import type { StrategyContext } from '../../resource-type.ts';

/** Reports whether every node, or a load balancer, accepts traffic for a service. */
export const isOpenToOutside = ({ type }: Pick<ServiceSpec, 'type'>): boolean =>
  type === 'NodePort' || type === 'LoadBalancer';

/** Reports whether a service has a policy for traffic from outside. One with external addresses alone does from 1.29 on. */
export const isReachedFromOutside = (
  spec: Pick<ServiceSpec, 'type' | 'externalIPs'>,
  since: StrategyContext['since'],
): boolean =>
  isOpenToOutside(spec) ||
  (spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0 && since('1.29'));
