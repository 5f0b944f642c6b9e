import type { ContainerStateTerminated, ContainerStatus, Pod } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { ip } from '@orch/machinery/formats';

/** Checks updates of the status. */
export function validatePodStatus(next: Pod, old: Pod): readonly FieldError[] {
  const policy = old.spec?.restartPolicy ?? '';
  const status = next.status ?? {};
  const before = old.status ?? {};
  return [
    ...checkAddresses((status.podIPs ?? []).map((address) => address.ip ?? '')),
    ...(['initContainerStatuses', 'containerStatuses'] as const).flatMap((list) =>
      checkTransitions(`status.${list}`, status[list] ?? [], before[list] ?? [], policy),
    ),
  ];
}

/** Checks that there is at most one address per family. */
function checkAddresses(addresses: readonly string[]): readonly FieldError[] {
  const errors = addresses.flatMap((address, i) => {
    const wrong = ip(address);
    return wrong === undefined ? [] : [fieldError.invalid(`status.podIPs[${i}]`, address, wrong)];
  });
  if (errors.length > 0 || addresses.length < 2) return errors;
  const families = new Set(addresses.map((address) => address.includes(':')));
  if (families.size === addresses.length) return [];
  return [
    fieldError.invalid('status.podIPs', addresses, 'may specify no more than one IP for each IP family'),
  ];
}

const terminated = (status: ContainerStatus | undefined): ContainerStateTerminated | undefined =>
  status?.state?.terminated;

/** Checks that a container that is not restarted remains terminated. */
function checkTransitions(
  path: string,
  next: readonly ContainerStatus[],
  old: readonly ContainerStatus[],
  policy: string,
): readonly FieldError[] {
  if (policy === 'Always') return [];
  // Of several with one name, the first counts.
  const places = new Map(next.map(({ name }, i) => [name, i] as const).reverse());
  return old.flatMap((before) => {
    const end = terminated(before);
    if (end === undefined || (policy === 'OnFailure' && (end.exitCode ?? 0) !== 0)) return [];
    const i = places.get(before.name);
    if (i === undefined || terminated(next[i]) !== undefined) return [];
    return [fieldError.forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}
