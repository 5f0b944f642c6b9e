import { type ApiObject, type FieldError, fieldError, ip } from '@orch/machinery';
import { asNumber, asObject, asObjects, asText, type JsonObject, specOf, statusOf } from '../../../read.ts';

/** What a reported status may say. */
export function validatePodStatus(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const policy = asText(specOf(old)['restartPolicy']);
  const status = statusOf(next);
  const before = statusOf(old);
  return [
    ...checkAddresses(asObjects(status['podIPs']).map((address) => asText(address['ip']))),
    ...(['initContainerStatuses', 'containerStatuses'] as const).flatMap((list) =>
      checkTransitions(`status.${list}`, asObjects(status[list]), asObjects(before[list]), policy),
    ),
  ];
}

/** One address per family at most. */
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

const terminated = (status: JsonObject | undefined): JsonObject | undefined => {
  const state = asObject(status?.['state'])['terminated'];
  return state === undefined ? undefined : asObject(state);
};

/** A container that is not restarted stays ended. */
function checkTransitions(
  path: string,
  next: readonly JsonObject[],
  old: readonly JsonObject[],
  policy: string,
): readonly FieldError[] {
  if (policy === 'Always') return [];
  return old.flatMap((before) => {
    const end = terminated(before);
    if (end === undefined || (policy === 'OnFailure' && asNumber(end['exitCode']) !== 0)) return [];
    const i = next.findIndex((status) => status['name'] === before['name']);
    if (i < 0 || terminated(next[i]) !== undefined) return [];
    return [fieldError.forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}
