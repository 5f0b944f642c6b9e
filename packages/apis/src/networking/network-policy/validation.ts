import type {
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { isProperSubrange, parseIpRange } from '@orch/machinery/net';
import type { Check } from '@orch/schema';
import { rangeFormatIn } from '../../address-formats.ts';
import { checkFormat, checkPort, presentOf } from '../../validation-rules.ts';

/** The types of a longer list are not checked. */
export const MAX_POLICY_TYPES = 2;

export const checkPolicyTypes: Check<NetworkPolicySpec> = ({ policyTypes }, { path }) => {
  const types = policyTypes ?? [];
  if (types.length <= MAX_POLICY_TYPES) return [];
  return [fieldError.invalid(`${path}.policyTypes`, types, 'may not specify more than two policyTypes')];
};

/** Checks a port by number or name; the end of a range of numbers must follow its beginning. */
export const checkPolicyPort: Check<NetworkPolicyPort> = ({ port, endPort }, { path }) => [
  ...(port === undefined ? [] : checkPort(`${path}.port`, port)),
  ...(endPort === undefined ? [] : checkEndPort(`${path}.endPort`, endPort, port)),
];

function checkEndPort(at: string, end: number, port: NetworkPolicyPort['port']): readonly FieldError[] {
  if (port === undefined) {
    return [fieldError.invalid(at, end, 'may not be specified when `port` is not specified')];
  }
  if (typeof port !== 'number') {
    return [fieldError.invalid(at, end, 'may not be specified when `port` is non-numeric')];
  }
  const order = end < port ? [fieldError.invalid(at, end, 'must be greater than or equal to `port`')] : [];
  return [...order, ...checkFormat('portNumber', at, end)];
}

/** Checks that a peer is either pods or addresses. */
export const checkPeer: Check<NetworkPolicyPeer> = (peer, { path }) => {
  const present = presentOf(peer, ['podSelector', 'namespaceSelector', 'ipBlock']);
  if (present.length === 0) return [fieldError.required(path, 'must specify a peer')];
  if (present.length === 1 || !present.includes('ipBlock')) return [];
  return [fieldError.forbidden(path, 'may not specify both ipBlock and another peer')];
};

/** Checks that exceptions are smaller than the range and within it. */
export const checkIpBlock: Check<IPBlock> = ({ cidr, except }, { path, old, since }) => {
  const range = parseIpRange(cidr ?? '');
  if (range === undefined) return [];
  const stored = new Set(old?.except);
  return (except ?? []).flatMap((text, i) => {
    const at = `${path}.except[${i}]`;
    const format = stored.has(text) ? 'cidr' : rangeFormatIn(since);
    const wrong = checkFormat(format, at, text);
    if (wrong.length > 0) return wrong;
    const smaller = parseIpRange(text);
    if (smaller !== undefined && isProperSubrange(smaller, range)) return [];
    return [fieldError.invalid(at, text, 'must be a strict subset of `cidr`')];
  });
};
