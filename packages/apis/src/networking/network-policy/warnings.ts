import type { NetworkPolicy, NetworkPolicyPeer } from '@orch/kinds/networking';
import { rangeWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

/** Warns of the ranges of addresses of a policy. */
export function networkPolicyWarnings(
  { spec = {} }: NetworkPolicy,
  _old: NetworkPolicy | undefined,
  { since }: WarningContext,
): readonly string[] {
  const ofPeers = (path: string, peers: readonly NetworkPolicyPeer[] = []): readonly string[] =>
    peers.flatMap(({ ipBlock }, j) =>
      ipBlock === undefined
        ? []
        : [
            ...rangeWarnings(`${path}[${j}].ipBlock.cidr`, ipBlock.cidr ?? '', since),
            ...(ipBlock.except ?? []).flatMap((range, k) =>
              rangeWarnings(`${path}[${j}].ipBlock.except[${k}]`, range, since),
            ),
          ],
    );
  return [
    ...(spec.ingress ?? []).flatMap(({ from }, i) => ofPeers(`spec.ingress[${i}].from`, from)),
    ...(spec.egress ?? []).flatMap(({ to }, i) => ofPeers(`spec.egress[${i}].to`, to)),
  ];
}
