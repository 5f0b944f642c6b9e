import {
  type IpAddress,
  type IpRange,
  parseIp,
  parseIpRange,
  rangeContains,
  unmappedIp,
} from '../net/index.ts';
import type { TextFormat } from './text.ts';

const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** An IPv4 or IPv6 literal. Scoped IPv6 literals (`fe80::1%eth0`) are not valid. */
export const ip: TextFormat = (value) => (parseIp(value) === undefined ? notAnAddress : undefined);

/** An address with a prefix length, `10.0.0.0/8`. */
export const cidr: TextFormat = (value) =>
  parseIpRange(value) === undefined
    ? 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
    : undefined;

/** Reports whether an address is an IPv4 address in IPv6 format. */
const isMapped = (address: IpAddress): boolean => unmappedIp(address) !== address;

const MAPPED = 'must not be an IPv4-mapped IPv6 address';

/** As `ip`, without IPv4 addresses in IPv6 format, which some programs read as IPv4. */
export const strictIp: TextFormat = (value) => {
  const address = parseIp(value);
  if (address === undefined) return notAnAddress;
  return isMapped(address) ? MAPPED : undefined;
};

/** As `cidr`, without IPv4 addresses in IPv6 format, and without bits beyond the prefix length. */
export const strictCidr: TextFormat = (value) => {
  const range = parseIpRange(value);
  if (range === undefined) return cidr(value);
  if (isMapped(range)) return MAPPED;
  const hostBits = BigInt((range.family === 'IPv4' ? 32 : 128) - range.bits);
  return (range.number >> hostBits) << hostBits === range.number
    ? undefined
    : 'must not have bits set beyond the prefix length';
};

/** The message for an address of a special range, and the range. */
type SpecialRange = readonly [message: string, range: IpRange];

const special = (message: string, text: string): readonly SpecialRange[] => {
  const range = parseIpRange(text);
  return range === undefined ? [] : [[message, range]];
};

const specialRanges: readonly SpecialRange[] = [
  ...special('may not be unspecified (0.0.0.0)', '0.0.0.0/32'),
  ...special('may not be in the loopback range (127.0.0.0/8)', '127.0.0.0/8'),
  ...special('may not be in the link-local range (169.254.0.0/16)', '169.254.0.0/16'),
  ...special('may not be in the link-local multicast range (224.0.0.0/24)', '224.0.0.0/24'),
  ...special('may not be unspecified (::)', '::/128'),
  ...special('may not be in the loopback range (::1/128)', '::1/128'),
  ...special('may not be in the link-local range (fe80::/10)', 'fe80::/10'),
];

/** `ff_2::`: link-local scope whatever the flags are, which no prefix can express. */
const isLinkLocalMulticast = ({ family, number }: IpAddress): boolean =>
  family === 'IPv6' && ((number >> 112n) & 0xff0fn) === 0xff02n;

/** As `nonSpecialIp`, without IPv4 addresses in IPv6 format. */
export const strictNonSpecialIp: TextFormat = (value) => {
  const address = parseIp(value);
  if (address === undefined) return notAnAddress;
  return specialProblem(address) ?? (isMapped(address) ? MAPPED : undefined);
};

/**
 * An address that is reachable from other hosts: not unspecified, loopback, link-local or link-local multicast. An IPv4 address in
 * IPv6 format is judged as the IPv4 address.
 */
export const nonSpecialIp: TextFormat = (value) => {
  const address = parseIp(value);
  return address === undefined ? notAnAddress : specialProblem(address);
};

function specialProblem(parsed: IpAddress): string | undefined {
  const address = unmappedIp(parsed);
  if (isLinkLocalMulticast(address)) return 'may not be in the link-local multicast range (ff02::/10)';
  return specialRanges.find(([, range]) => rangeContains(range, address))?.[0];
}
