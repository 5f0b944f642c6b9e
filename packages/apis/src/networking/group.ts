import type { GroupDeclaration } from '../group-declaration.ts';
import { clusterCidrs } from './cluster-cidr/index.ts';
import { ingresses } from './ingress/index.ts';
import { ingressClasses } from './ingress-class/index.ts';
import { ipAddresses } from './ip-address.ts';
import { networkPolicies } from './network-policy/index.ts';
import { serviceCidrs } from './service-cidr.ts';

export const networkingGroup: GroupDeclaration = {
  key: 'networking',
  priority: 17_200,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  types: [clusterCidrs, ingressClasses, ingresses, ipAddresses, networkPolicies, serviceCidrs],
};
