import type { ServiceSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { ip } from '@orch/machinery/formats';
import { familyOf } from '../../shared/validation/address-family.ts';

const families = ['IPv4', 'IPv6'];

/** Checks `clusterIP`, `clusterIPs` and `ipFamilies`: each by itself, and all of them together. */
export function checkClusterIps(spec: ServiceSpec): readonly FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const addresses = spec.clusterIPs ?? [];
  return [
    ...checkAgreement(spec, addresses),
    ...checkFamilies(spec.ipFamilies ?? []),
    ...checkAddresses(addresses, spec.ipFamilies ?? []),
    ...checkHeadless(spec, addresses),
  ];
}

function checkAgreement(spec: ServiceSpec, addresses: readonly string[]): readonly FieldError[] {
  const single = spec.clusterIP ?? '';
  if (single === '') {
    const why = 'must be empty when `clusterIP` is empty';
    return addresses.length === 0 ? [] : [fieldError.invalid('spec.clusterIPs', addresses, why)];
  }
  if (addresses.length === 0) return [fieldError.required('spec.clusterIPs')];
  if (addresses[0] === single) return [];
  return [fieldError.invalid('spec.clusterIPs[0]', addresses[0], 'first value must match `clusterIP`')];
}

function checkFamilies(listed: readonly string[]): readonly FieldError[] {
  const known = new Set<string>();
  return listed.flatMap((family, i) => {
    const path = `spec.ipFamilies[${i}]`;
    const errors: FieldError[] = [];
    if (!families.includes(family)) errors.push(fieldError.notSupported(path, family, families));
    if (known.has(family)) errors.push(fieldError.duplicate(path, family));
    known.add(family);
    return errors;
  });
}

function checkAddresses(addresses: readonly string[], listed: readonly string[]): readonly FieldError[] {
  if (addresses.length > 2) {
    return [fieldError.invalid('spec.clusterIPs', addresses, 'may only hold up to 2 values')];
  }
  const errors = addresses.flatMap((address, i) => checkAddress(address, i, addresses.length, listed[i]));
  if (errors.length > 0 || addresses.length < 2) return errors;
  const distinct = new Set(addresses.map(familyOf)).size === 2;
  const why = 'may specify no more than one IP for each IP family';
  return distinct ? [] : [fieldError.invalid('spec.clusterIPs', addresses, why)];
}

function checkAddress(
  address: string,
  i: number,
  count: number,
  family: string | undefined,
): readonly FieldError[] {
  const path = `spec.clusterIPs[${i}]`;
  if (address === 'None') {
    return count === 1 ? [] : [fieldError.invalid(path, address, "'None' must be the first and only value")];
  }
  const wrong = ip(address);
  if (wrong !== undefined) return [fieldError.invalid(path, address, wrong)];
  if (family === undefined || !families.includes(family) || familyOf(address) === family) return [];
  return [
    fieldError.invalid(path, address, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``),
  ];
}

function checkHeadless(spec: ServiceSpec, addresses: readonly string[]): readonly FieldError[] {
  const type = spec.type ?? '';
  if ((type !== 'NodePort' && type !== 'LoadBalancer') || addresses[0] !== 'None') return [];
  return [fieldError.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
}
