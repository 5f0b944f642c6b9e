import type { ResourceType } from '../resource-type.ts';
import { clusterCidrs } from './cluster-cidr/index.ts';
import { ingresses } from './ingress/index.ts';
import { ingressClasses } from './ingress-class/index.ts';
import { ipAddresses } from './ip-address.ts';
import { networkPolicies } from './network-policy/index.ts';

/** The resources of the group, in discovery order. */
export const networkingTypes: readonly ResourceType[] = [
  clusterCidrs,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
];
