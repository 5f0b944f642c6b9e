import {
  formatIp,
  type IpAddress,
  type IpRange,
  parseIp,
  parseIpRange,
  unmappedIp,
} from '@orch/machinery/net';
import type { WarningContext } from './content-warning.ts';

type Since = WarningContext['since'];

const quoted = (text: string): string => JSON.stringify(text);

const isMapped = (address: IpAddress): boolean => unmappedIp(address) !== address;

const bitsOf = ({ family }: IpAddress): number => (family === 'IPv4' ? 32 : 128);

/** Releases from 1.36 on refuse new addresses that others warned of. */
const fateIn = (since: Since): string =>
  since('1.36') ? 'is invalid' : 'will be considered invalid in a future Kubernetes release';

/** The text of an address in its own family (RFC 5952). */
const canonicalText = (address: IpAddress): string =>
  isMapped(address) ? `::ffff:${formatIp(unmappedIp(address))}` : formatIp(address);

/** Warns of an address that programs read differently, or that has another canonical text. From 1.33 on; `earlierAddressWarnings` before. */
export function addressWarnings(path: string, text: string, since: Since): readonly string[] {
  if (!since('1.33')) return [];
  const address = parseIp(text);
  if (address === undefined) return [];
  if (isMapped(address))
    return [
      `${path}: non-standard IP address ${quoted(text)} ${fateIn(since)}: use ${quoted(formatIp(unmappedIp(address)))}`,
    ];
  // The text of an IPv4 address is always canonical.
  if (address.family === 'IPv4') return [];
  const canonical = formatIp(address);
  return canonical === text
    ? []
    : [`${path}: IPv6 address ${quoted(text)} should be in RFC 5952 canonical format (${quoted(canonical)})`];
}

/** As `addressWarnings`, of services, about which releases warn from 1.27 on. */
export function serviceAddressWarnings(path: string, text: string, since: Since): readonly string[] {
  return since('1.33') || !since('1.27')
    ? addressWarnings(path, text, since)
    : earlier(path, text, 'address');
}

function earlier(path: string, text: string, what: 'address' | 'prefix'): readonly string[] {
  const slash = what === 'prefix' ? text.indexOf('/') : text.length;
  const address = parseIp(text.slice(0, slash));
  if (address === undefined || address.family === 'IPv4') return [];
  const canonical = `${canonicalText(address)}${text.slice(slash)}`;
  return canonical === text
    ? []
    : [
        `${path}: IPv6 ${what} ${quoted(text)} is not in RFC 5952 canonical format (${quoted(canonical)}), which may cause controller apply-loops`,
      ];
}

/** The text of a range without bits beyond its prefix length. */
function rangeText({ family, number, bits }: IpRange): string {
  const hostBits = BigInt(bitsOf({ family, number }) - bits);
  const first = { family, number: (number >> hostBits) << hostBits };
  return isMapped(first) ? `${formatIp(unmappedIp(first))}/${bits - 96}` : `${formatIp(first)}/${bits}`;
}

function hasHostBits({ family, number, bits }: IpRange): boolean {
  const hostBits = BigInt(bitsOf({ family, number }) - bits);
  return (number >> hostBits) << hostBits !== number;
}

/** Warns of a range of addresses, as `addressWarnings`. */
export function rangeWarnings(path: string, text: string, since: Since): readonly string[] {
  const range = since('1.33') ? parseIpRange(text) : undefined;
  if (range === undefined) return [];
  const found: string[] = [];
  if (hasHostBits(range)) {
    const single = `${formatIp(unmappedIp(range))}/${bitsOf(range)}`;
    found.push(
      `${path}: CIDR value ${quoted(text)} is ambiguous in this context (should be ${quoted(rangeText(range))} or ${quoted(single)}?)`,
    );
  }
  if (isMapped(range))
    found.push(
      `${path}: non-standard CIDR value ${quoted(text)} ${fateIn(since)}: use ${quoted(rangeText(range))}`,
    );
  const canonical = rangeText(range);
  if (found.length === 0 && range.family === 'IPv6' && canonical !== text)
    found.push(
      `${path}: IPv6 CIDR value ${quoted(text)} should be in RFC 5952 canonical format (${quoted(canonical)})`,
    );
  return found;
}

/** As `rangeWarnings`, of services. */
export const serviceRangeWarnings = (path: string, text: string, since: Since): readonly string[] =>
  since('1.33') || !since('1.27') ? rangeWarnings(path, text, since) : earlier(path, text, 'prefix');
