import {
  type ApiObject,
  type FieldError,
  fieldError,
  fullyQualified,
  ip,
  nonSpecialIp,
  validateLabels,
} from '@orch/machinery';
import { asObjects, asStringMap, asStrings, asText } from '../../read.ts';
import type { StrategyContext } from '../../resource-type.ts';

const maxTopologyLabels = 16;
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

/** Addresses are of the type of the slice, and ports have different names. */
export function validateEndpointSlice(
  next: ApiObject,
  _old: ApiObject | undefined,
  { requestVersion }: StrategyContext,
): readonly FieldError[] {
  const topology = requestVersion === 'discovery/v1' ? 'deprecatedTopology' : 'topology';
  const type = asText(next['addressType']);
  const problem = Object.hasOwn(addressProblems, type) ? addressProblems[type] : undefined;
  return [
    ...asObjects(next['endpoints']).flatMap((endpoint, i) => [
      ...checkAddresses(`endpoints[${i}].addresses`, asStrings(endpoint['addresses']), problem),
      ...checkTopology(`endpoints[${i}].${topology}`, asStringMap(endpoint['deprecatedTopology'])),
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
  const tooMany = count > maxTopologyLabels ? [fieldError.tooMany(path, count, maxTopologyLabels)] : [];
  return [...tooMany, ...validateLabels(labels, path)];
}

/** The empty name counts too. */
function checkPortNames(slice: ApiObject): readonly FieldError[] {
  const taken = new Set<string>();
  return asObjects(slice['ports']).flatMap((port, i) => {
    const name = asText(port['name']);
    const twice = taken.has(name);
    taken.add(name);
    return twice ? [fieldError.duplicate(`ports[${i}].name`, name)] : [];
  });
}
