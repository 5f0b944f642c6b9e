import type { kinds } from '@orch/client';
import type { LabelSelectorObject } from '@orch/machinery/selectors';
import { describer, noEvents } from '../../describer.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { plainTimeText } from '../../text/times.ts';
import { goText, orNone, selectorText } from '../../text/values.ts';

type Policy = kinds.networking.NetworkPolicy;
type Peer = kinds.networking.NetworkPolicyPeer;
type Port = kinds.networking.NetworkPolicyPort;

export const networkPolicy = describer<Policy>({
  group: 'networking',
  kind: 'NetworkPolicy',
  versions: ['v1'],
  events: noEvents,
  describe(out, object, { names }) {
    const { metadata, spec } = object;
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace });
    out.field(0, 'Created on', plainTimeText(metadata.creationTimestamp));
    describeLabels(out, { metadata, names });
    out.line(0, 'Spec:');
    out.line(1, `PodSelector:     ${podsText(spec?.podSelector)}`);
    const types = spec?.policyTypes ?? [];
    const ingress = (spec?.ingress ?? []).map(({ ports, from }) => ({ ports, peers: from }));
    const egress = (spec?.egress ?? []).map(({ ports, to }) => ({ ports, peers: to }));
    describeDirection(out, types.includes('Ingress') ? ingress : undefined, directions.ingress);
    describeDirection(out, types.includes('Egress') ? egress : undefined, directions.egress);
    out.line(1, `Policy Types: ${orNone(types.join(', '))}`);
  },
});

interface Rule {
  readonly ports: readonly Port[] | undefined;
  readonly peers: readonly Peer[] | undefined;
}

const directions = {
  ingress: { name: 'ingress', peer: 'From', other: 'source' },
  egress: { name: 'egress', peer: 'To', other: 'destination' },
} as const;

type Direction = (typeof directions)[keyof typeof directions];

function podsText(selector: LabelSelectorObject | undefined): string {
  const text = selectorText(selector);
  return text === '' ? '<none> (Allowing the specific traffic to all pods in this namespace)' : text;
}

/** The traffic that a policy permits in one direction; undefined when it has no effect there. */
function describeDirection(out: Description, rules: readonly Rule[] | undefined, direction: Direction): void {
  const { name } = direction;
  if (rules === undefined) {
    out.line(1, `Not affecting ${name} traffic`);
    return;
  }
  out.line(1, `Allowing ${name} traffic:`);
  if (rules.length === 0) out.line(2, `<none> (Selected pods are isolated for ${name} connectivity)`);
  rules.forEach((rule, i) => {
    describeRule(out, rule, direction);
    if (i < rules.length - 1) out.line(2, '----------');
  });
}

function describeRule(out: Description, { ports = [], peers = [] }: Rule, { peer, other }: Direction): void {
  if (ports.length === 0) out.line(2, 'To Port: <any> (traffic allowed to all ports)');
  for (const { port, endPort, protocol = 'TCP' } of ports) {
    const range = endPort === undefined ? '' : `-${endPort}`;
    out.line(2, `To Port${range === '' ? '' : ' Range'}: ${goText(port)}${range}/${protocol}`);
  }
  if (peers.length === 0) out.line(2, `${peer}: <any> (traffic not restricted by ${other})`);
  for (const one of peers) {
    out.line(2, `${peer}:`);
    describePeer(out, one);
  }
}

function describePeer(out: Description, { podSelector, namespaceSelector, ipBlock }: Peer): void {
  if (namespaceSelector !== undefined)
    out.line(3, `NamespaceSelector: ${orNone(selectorText(namespaceSelector))}`);
  if (podSelector !== undefined) out.line(3, `PodSelector: ${orNone(selectorText(podSelector))}`);
  if (namespaceSelector !== undefined || podSelector !== undefined || ipBlock === undefined) return;
  out.line(3, 'IPBlock:');
  out.line(4, `CIDR: ${ipBlock.cidr}`);
  out.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
}
