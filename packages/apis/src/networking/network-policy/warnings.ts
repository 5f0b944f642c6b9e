import type { NetworkPolicy, NetworkPolicyPeer } from '@orch/kinds/networking';
import { rangeWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

/** Warns of the ranges of addresses of a policy. */
export function networkPolicyWarnings(
  { spec = {} }: NetworkPolicy,
  _old: NetworkPolicy | undefined,
  { since }: WarningContext,
): readonly string[] {
  const warnings: string[] = [];
  const addOfPeers = (path: string, peers: readonly NetworkPolicyPeer[] = []): void => {
    for (const [j, { ipBlock }] of peers.entries()) {
      if (ipBlock === undefined) continue;
      warnings.push(...rangeWarnings(`${path}[${j}].ipBlock.cidr`, ipBlock.cidr ?? '', since));
      for (const [k, range] of (ipBlock.except ?? []).entries())
        warnings.push(...rangeWarnings(`${path}[${j}].ipBlock.except[${k}]`, range, since));
    }
  };
  for (const [i, { from }] of (spec.ingress ?? []).entries()) addOfPeers(`spec.ingress[${i}].from`, from);
  for (const [i, { to }] of (spec.egress ?? []).entries()) addOfPeers(`spec.egress[${i}].to`, to);
  return warnings;
}
