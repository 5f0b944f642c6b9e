import type { ClusterCIDRSpecV1alpha1 } from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { parseIpRange } from '@orch/machinery/net';
import type { Check } from '@orch/schema';

const MIN_HOST_BITS = 4;

const families = [
  { field: 'ipv4', family: 'IPv4', bits: 32 },
  { field: 'ipv6', family: 'IPv6', bits: 128 },
] as const;

/** Checks that there is at least one range, each large enough for the range of a node. */
export const checkClusterCidr: Check<ClusterCIDRSpecV1alpha1> = (spec, { path }) => {
  const given = families.filter(({ field }) => (spec[field] ?? '') !== '');
  if (given.length === 0) {
    return [fieldError.required(path, 'one or both of `ipv4` and `ipv6` must be specified')];
  }
  const hostBits = spec.perNodeHostBits ?? 0;
  const at = `${path}.perNodeHostBits`;
  const errors: FieldError[] = [];
  if (hostBits < MIN_HOST_BITS) {
    errors.push(fieldError.invalid(at, hostBits, `must be greater than or equal to ${MIN_HOST_BITS}`));
  }
  for (const { field, family, bits } of given) {
    const text = spec[field] ?? '';
    const range = parseIpRange(text);
    if (range?.family !== family) {
      errors.push(fieldError.invalid(`${path}.${field}`, text, `must be a valid ${family} CIDR`));
    } else if (hostBits > bits - range.bits) {
      errors.push(fieldError.invalid(at, hostBits, `must be less than or equal to ${bits - range.bits}`));
    }
  }
  return errors;
};
