import { defineResource, statusSubresource, strategyOf } from '../define-resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { clusterCidrTable, ipAddressTable } from './cluster-cidr/table.ts';
import { ClusterCIDR } from './cluster-cidr/v1alpha1.ts';
import { ingressStrategy, networkPolicyStrategy } from './ingress/strategy.ts';
import { ingressClassTable, ingressTable, networkPolicyTable } from './ingress/table.ts';
import { Ingress } from './ingress/v1.ts';
import { ingressLens } from './ingress/v1beta1.lens.ts';
import { Ingress as IngressV1Beta1 } from './ingress/v1beta1.ts';
import { IngressClass } from './ingress-class/v1.ts';
import { IPAddress } from './ip-address.ts';
import { NetworkPolicy } from './network-policy/v1.ts';
import { validateIpAddress } from './shared/ip-address-validation.ts';

const group = 'networking';

export const clusterCidrs: ResourceType = defineResource({
  group,
  resource: 'clustercidrs',
  kind: 'ClusterCIDR',
  namespaced: false,
  shortNames: ['cc'],
  versions: [{ version: 'v1alpha1', schema: ClusterCIDR, introduced: '1.25' }],
  table: clusterCidrTable,
  strategy: strategyOf(),
});

export const ingressClasses: ResourceType = defineResource({
  group,
  resource: 'ingressclasses',
  kind: 'IngressClass',
  namespaced: false,
  versions: [
    { version: 'v1', schema: IngressClass, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: IngressClass,
      introduced: '1.18',
      deprecated: '1.19',
      removed: '1.22',
    },
  ],
  table: ingressClassTable,
  strategy: strategyOf({ generation: 'spec' }),
});

export const ingresses: ResourceType = defineResource({
  group,
  resource: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  shortNames: ['ing'],
  versions: [
    { version: 'v1', schema: Ingress, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: IngressV1Beta1,
      lens: ingressLens,
      introduced: '1.14',
      deprecated: '1.19',
      removed: '1.22',
    },
    {
      group: 'extensions',
      version: 'v1beta1',
      schema: IngressV1Beta1,
      lens: ingressLens,
      introduced: '1.1',
      deprecated: '1.14',
      removed: '1.22',
    },
  ],
  table: ingressTable,
  strategy: ingressStrategy,
  subresources: [statusSubresource('Ingress', group)],
});

export const ipAddresses: ResourceType = defineResource({
  group,
  resource: 'ipaddresses',
  kind: 'IPAddress',
  namespaced: false,
  shortNames: ['ip'],
  versions: [{ version: 'v1alpha1', schema: IPAddress, introduced: '1.27' }],
  // The address says more about the name than any format.
  nameFormat: 'pathSegment',
  table: ipAddressTable,
  strategy: strategyOf({ validate: validateIpAddress }),
});

export const networkPolicies: ResourceType = defineResource({
  group,
  resource: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  shortNames: ['netpol'],
  versions: [
    { version: 'v1', schema: NetworkPolicy, introduced: '1.7' },
    {
      group: 'extensions',
      version: 'v1beta1',
      schema: NetworkPolicy,
      introduced: '1.3',
      deprecated: '1.9',
      removed: '1.16',
    },
  ],
  table: networkPolicyTable,
  strategy: networkPolicyStrategy,
  subresources: [
    { ...statusSubresource('NetworkPolicy', group), introduced: '1.24', gate: 'NetworkPolicyStatus' },
  ],
});

/** The resources of the group, in discovery order. */
export const networkingTypes: readonly ResourceType[] = [
  clusterCidrs,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
];
