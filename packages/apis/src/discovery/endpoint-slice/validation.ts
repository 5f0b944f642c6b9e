import type { EndpointSlice } from '@orch/kinds/discovery';
import { type FieldError, fieldError } from '@orch/machinery';
import { fullyQualified, ip, nonSpecialIp } from '@orch/machinery/formats';
import { jsonEquals } from '@orch/machinery/json';
import { canonicalIp, parseIp, unmappedIp } from '@orch/machinery/net';
import { validateLabels } from '@orch/machinery/object-meta';
import { addressFormatIn } from '../../address-formats.ts';
import type { StrategyContext } from '../../resource-type.ts';

const MAX_TOPOLOGY_LABELS = 16;
const domain = fullyQualified(2);

/** An address with the path of its list. */
interface Address {
  readonly list: string;
  readonly index: number;
  readonly text: string;
}

type AddressCheck = (address: Address, since: StrategyContext['since']) => readonly FieldError[];

/** Reports whether a text is an IPv4 address in IPv6 format. */
function isMapped(text: string): boolean {
  const parsed = parseIp(text);
  return parsed?.family === 'IPv6' && unmappedIp(parsed).family === 'IPv4';
}

const checkItem = ({ list, index, text }: Address, problem: string | undefined): readonly FieldError[] =>
  problem === undefined ? [] : [fieldError.invalid(`${list}[${index}]`, text, problem)];

/** From 1.33 on, the list is what has an address of the other family, which is also checked by itself. */
const ofFamily =
  (isIPv6: boolean): AddressCheck =>
  (address, since) => {
    const { list, text } = address;
    const expected = `must be a valid ${isIPv6 ? 'IPv6' : 'IPv4'} address`;
    const isStrict = addressFormatIn(since) === 'strictIp' || (isIPv6 && since('1.33'));
    if (isStrict && isMapped(text)) return checkItem(address, 'must not be an IPv4-mapped IPv6 address');
    const canonical = canonicalIp(text);
    if (isIPv6 && since('1.33') && canonical !== undefined && canonical !== text)
      return checkItem(address, `must be in canonical form (${JSON.stringify(canonical)})`);
    // Earlier releases take one as the IPv4 address.
    const isOther = (text.includes(':') && !isMapped(text)) !== isIPv6;
    if (ip(text) !== undefined || (isOther && !since('1.33'))) return checkItem(address, expected);
    return [
      ...(isOther ? [fieldError.invalid(list, text, expected)] : []),
      ...checkItem(address, nonSpecialIp(text)),
    ];
  };

const addressChecks: Readonly<Record<string, AddressCheck>> = {
  IPv4: ofFamily(false),
  IPv6: ofFamily(true),
  FQDN: (address) => checkItem(address, domain(address.text.replace(/\.$/, ''))),
};

/** Checks that addresses have the type of the slice, and ports have different names. */
export function validateEndpointSlice(
  next: EndpointSlice,
  old: EndpointSlice | undefined,
  { requestVersion, since }: StrategyContext,
): readonly FieldError[] {
  const topology = requestVersion === 'discovery/v1' ? 'deprecatedTopology' : 'topology';
  const type = next.addressType ?? '';
  const check = Object.hasOwn(addressChecks, type) ? addressChecks[type] : undefined;
  // From 1.33 on, an update may keep endpoints that earlier releases did not refuse.
  const areKept =
    old !== undefined && since('1.33') && jsonEquals(next.endpoints ?? null, old.endpoints ?? null);
  const checked = areKept ? [] : (next.endpoints ?? []);
  return [
    ...checked.flatMap((endpoint, i) => [
      ...(endpoint.addresses ?? []).flatMap(
        (text, index) => check?.({ list: `endpoints[${i}].addresses`, index, text }, since) ?? [],
      ),
      ...checkTopology(`endpoints[${i}].${topology}`, endpoint.deprecatedTopology ?? {}),
    ]),
    ...checkPortNames(next),
  ];
}

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
