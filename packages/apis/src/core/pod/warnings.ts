import type { Pod } from '@orch/kinds/core';
import { addressWarnings } from '../../address-warnings.ts';
import { hostNameWarnings, type WarningContext } from '../../content-warning.ts';
import { podWarnings } from '../shared/pod-spec/warnings/pod.ts';

/** Warns of a new pod: little of its specification can be changed later. */
export const newPodWarnings = (
  next: Pod,
  old: Pod | undefined,
  context: WarningContext,
): readonly string[] =>
  old === undefined
    ? [
        ...hostNameWarnings(next.metadata.name ?? '', "the Pod's hostname", context.since),
        ...podWarnings('', next, context),
      ]
    : [];

/** Warns of the addresses in the status of a pod. */
export function podStatusWarnings(
  { status = {} }: Pod,
  _old: Pod,
  { since }: WarningContext,
): readonly string[] {
  return (['podIPs', 'hostIPs'] as const).flatMap((list) =>
    (status[list] ?? []).flatMap(({ ip = '' }, i) => addressWarnings(`status.${list}[${i}].ip`, ip, since)),
  );
}
