import type { EndpointSlice } from '@orch/kinds/discovery';
import { type FieldError, fieldError } from '@orch/machinery';
import { fullyQualified, ip, nonSpecialIp } from '@orch/machinery/formats';
import { validateLabels } from '@orch/machinery/object-meta';
import type { StrategyContext } from '../../resource-type.ts';

const MAX_TOPOLOGY_LABELS = 16;
const domain = fullyQualified(2);

const ofFamily =
  (isIPv6: boolean, expected: string) =>
  (address: string): string | undefined => {
    if (ip(address) !== undefined || address.includes(':') !== isIPv6) return expected;
    return nonSpecialIp(address);
  };

const addressProblems: Readonly<Record<string, (address: string) => string | undefined>> = {
  IPv4: ofFamily(false, 'must be a valid IPv4 address'),
  IPv6: ofFamily(true, 'must be a valid IPv6 address'),
  FQDN: (name) => domain(name.endsWith('.') ? name.slice(0, -1) : name),
};

/** Checks that addresses have the type of the slice, and ports have different names. */
export function validateEndpointSlice(
  next: EndpointSlice,
  _old: EndpointSlice | undefined,
  { requestVersion }: StrategyContext,
): readonly FieldError[] {
  const topology = requestVersion === 'discovery/v1' ? 'deprecatedTopology' : 'topology';
  const type = next.addressType ?? '';
  const problem = Object.hasOwn(addressProblems, type) ? addressProblems[type] : undefined;
  return [
    ...(next.endpoints ?? []).flatMap((endpoint, i) => [
      ...checkAddresses(`endpoints[${i}].addresses`, endpoint.addresses ?? [], problem),
      ...checkTopology(`endpoints[${i}].${topology}`, endpoint.deprecatedTopology ?? {}),
    ]),
    ...checkPortNames(next),
  ];
}

const checkAddresses = (
  path: string,
  addresses: readonly string[],
  problem: ((address: string) => string | undefined) | undefined,
): readonly FieldError[] =>
  addresses.flatMap((address, i) => {
    const wrong = problem?.(address);
    return wrong === undefined ? [] : [fieldError.invalid(`${path}[${i}]`, address, wrong)];
  });

function checkTopology(path: string, labels: Readonly<Record<string, string>>): readonly FieldError[] {
  const count = Object.keys(labels).length;
  const tooMany = count > MAX_TOPOLOGY_LABELS ? [fieldError.tooMany(path, count, MAX_TOPOLOGY_LABELS)] : [];
  return [...tooMany, ...validateLabels(labels, path)];
}

/** The empty name counts too. */
function checkPortNames(slice: EndpointSlice): readonly FieldError[] {
  const taken = new Set<string>();
  return (slice.ports ?? []).flatMap((port, i) => {
    const name = port.name ?? '';
    const twice = taken.has(name);
    taken.add(name);
    return twice ? [fieldError.duplicate(`ports[${i}].name`, name)] : [];
  });
}
