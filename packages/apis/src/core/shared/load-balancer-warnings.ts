import { addressWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

interface Balanced {
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } };
}

/** Warns of the addresses of load balancers in a status. */
export const loadBalancerWarnings = (
  { status }: Balanced,
  _old: unknown,
  { since }: WarningContext,
): readonly string[] =>
  (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, i) =>
    addressWarnings(`status.loadBalancer.ingress[${i}]`, ip, since),
  );
