import type * as networking from '@orch/kinds/networking';
import { f, items, struct } from '@orch/schema';
import { rangeFormat } from '../../address-formats.ts';
import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import {
  checkIpBlock,
  checkPeer,
  checkPolicyPort,
  checkPolicyTypes,
  MAX_POLICY_TYPES,
} from './validation.ts';

export const IPBlock = struct(
  'networking.v1.IPBlock',
  'A range of addresses, usually outside the cluster.',
  {
    cidr: f.string(1, {
      doc: 'The range, such as `192.168.1.0/24`.',
      presence: 'always',
      required: true,
      ...rangeFormat,
    }),
    except: f.list(2, items.string, { doc: 'Smaller ranges within it that are left out.' }),
  },
  { checks: [checkIpBlock] },
);

export const NetworkPolicyPort = struct(
  'networking.v1.NetworkPolicyPort',
  'Ports that traffic is allowed to.',
  {
    protocol: f.string(1, {
      doc: 'TCP, UDP or SCTP.',
      presence: 'pointer',
      default: 'TCP',
      enum: ['SCTP', 'TCP', 'UDP'],
      openapiEnum: { since: '1.27' },
    }),
    port: f.intOrString(2, {
      doc: 'Number or name of the port of the pods; all ports when absent.',
      presence: 'pointer',
    }),
    endPort: f.int32(3, {
      doc: 'Last port of a range that begins with port, which is a number then.',
      presence: 'pointer',
      since: '1.22',
      gate: 'NetworkPolicyEndPort',
    }),
  },
  { checks: [checkPolicyPort] },
);

export const NetworkPolicyPeer = struct(
  'networking.v1.NetworkPolicyPeer',
  'The other side of a connection: pods, or a range of addresses.',
  {
    podSelector: f.struct(1, LabelSelector, {
      doc: 'Labels of pods: in the selected namespaces, or else in that of the policy.',
      presence: 'pointer',
    }),
    namespaceSelector: f.struct(2, LabelSelector, {
      doc: 'Labels of namespaces; all pods in them unless podSelector is set.',
      presence: 'pointer',
    }),
    ipBlock: f.struct(3, IPBlock, {
      doc: 'A range of addresses. Not together with the selectors.',
      presence: 'pointer',
    }),
  },
  { checks: [checkPeer] },
);

export const NetworkPolicyIngressRule = struct(
  'networking.v1.NetworkPolicyIngressRule',
  'Traffic that may come in: from any of the peers, to any of the ports.',
  {
    ports: f.list(1, NetworkPolicyPort, { doc: 'Ports of the pods; all when empty.' }),
    from: f.list(2, NetworkPolicyPeer, { doc: 'Where it may come from; anywhere when empty.' }),
  },
);

export const NetworkPolicyEgressRule = struct(
  'networking.v1.NetworkPolicyEgressRule',
  'Traffic that may go out: to any of the peers, at any of the ports.',
  {
    ports: f.list(1, NetworkPolicyPort, { doc: 'Ports of the peers; all when empty.' }),
    to: f.list(2, NetworkPolicyPeer, { doc: 'Where it may go to; anywhere when empty.' }),
  },
);

/** Policies apply to incoming traffic, and to outgoing traffic when they have rules for it. */
const usualTypes = (spec: networking.NetworkPolicySpec): readonly string[] =>
  (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];

export const NetworkPolicySpec = struct(
  'networking.v1.NetworkPolicySpec',
  'Pods that a policy applies to, and the traffic that it allows.',
  {
    podSelector: f.struct(1, LabelSelector, {
      doc: 'Labels of the pods; all pods of the namespace when empty.',
      presence: 'always',
      openapiRequired: { since: '1.34', is: false },
    }),
    ingress: f.list(2, NetworkPolicyIngressRule, { doc: 'Traffic that may come in; none when empty.' }),
    egress: f.list(3, NetworkPolicyEgressRule, { doc: 'Traffic that may go out; none when empty.' }),
    policyTypes: f.list(4, items.string, {
      doc: 'Directions that the policy restricts: Ingress, Egress or both.',
      default: usualTypes,
      enum: ['Egress', 'Ingress'],
      emptyIsInvalid: true,
      openapiEnum: { since: '1.30' },
      validatedIf: ({ policyTypes }) => Array.isArray(policyTypes) && policyTypes.length <= MAX_POLICY_TYPES,
    }),
  },
  { checks: [checkPolicyTypes] },
);

export const NetworkPolicyStatus = struct(
  'networking.v1.NetworkPolicyStatus',
  'Observed state of a policy.',
  {
    conditions: f.list(1, Condition, {
      doc: 'Observations about the object, one entry per type.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      uniqueBy: 'type',
      // The gate was never enabled by default, and was removed in release 1.28.
      since: '1.28',
      until: '1.28',
      gate: 'NetworkPolicyStatus',
    }),
  },
);

export const NetworkPolicy = struct(
  'networking.v1.NetworkPolicy',
  'The allowed traffic of a set of pods. Pods without a policy may have any traffic.',
  {
    metadata: metadataField,
    spec: specField(NetworkPolicySpec),
    status: f.struct(3, NetworkPolicyStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
      since: '1.24',
      until: '1.28',
    }),
  },
  { typeMeta: true },
);
