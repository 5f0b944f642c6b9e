import {
  formatIp,
  type IpAddress,
  type IpRange,
  parseIp,
  parseIpRange,
  rangeContains,
} from '@orch/machinery/net';
import { TRAVERSAL } from '../functions/call-costs.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import { fixed, scale, unknown } from '../functions/range.ts';
import * as types from '../types/type.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { OpaqueValue } from '../values/value.ts';
import { type CostRule, constantCost, traversal } from './costs.ts';

const IP = 'net.IP';
const CIDR = 'net.CIDR';
const ipType = types.opaque(IP);
const cidrType = types.opaque(CIDR);

const bytesOf = ({ family }: { readonly family: IpAddress['family'] }): number =>
  family === 'IPv4' ? 4 : 16;

class IpValue extends OpaqueValue {
  readonly typeName = IP;
  readonly address: IpAddress;
  constructor(address: IpAddress) {
    super();
    this.address = address;
  }
  override get size(): number {
    return bytesOf(this.address);
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && sameAddress(this.address, other.address);
  }
}

class CidrValue extends OpaqueValue {
  readonly typeName = CIDR;
  readonly range: IpRange;
  constructor(range: IpRange) {
    super();
    this.range = range;
  }
  override get size(): number {
    return Math.ceil(this.range.bits / 8);
  }
  equals(other: OpaqueValue): boolean {
    return (
      other instanceof CidrValue &&
      sameAddress(this.range, other.range) &&
      this.range.bits === other.range.bits
    );
  }
}

const sameAddress = (a: IpAddress, b: IpAddress): boolean => a.family === b.family && a.number === b.number;

/** An IPv4 address written as an IPv6 address is refused: otherwise one address would have two strings. */
const isMapped = ({ family, number }: IpAddress): boolean => family === 'IPv6' && number >> 32n === 0xffffn;

/** Messages show the start of a long text. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

function readIp(text: string): IpValue | string {
  const address = parseIp(text);
  if (address === undefined) return `IP Address ${quoted(text)} parse error during conversion from string`;
  if (isMapped(address)) return `IPv4-mapped IPv6 address ${quoted(text)} is not allowed`;
  return new IpValue(address);
}

function readCidr(text: string): CidrValue | string {
  const range = parseIpRange(text);
  if (range === undefined)
    return `network address parse error during conversion from string: ${quoted(text)}`;
  if (isMapped(range)) return `IPv4-mapped IPv6 address ${quoted(text)} is not allowed`;
  return new CidrValue(range);
}

function orThrow<T>(result: T | string): T {
  if (typeof result === 'string') throw new EvaluationError(result);
  return result;
}

const ip = (text: string): IpValue => orThrow(readIp(text));
const cidr = (text: string): CidrValue => orThrow(readCidr(text));

type AddressTest = (address: IpAddress) => boolean;

/** The first `bits` of an address are those of `prefix`. */
const within = (text: string): AddressTest => {
  const range = parseIpRange(text);
  return (address) => range !== undefined && rangeContains(range, address);
};

const anyOf =
  (...tests: readonly AddressTest[]): AddressTest =>
  (address) =>
    tests.some((test) => test(address));

const isUnspecified = anyOf(within('0.0.0.0/32'), within('::/128'));
const isLoopback = anyOf(within('127.0.0.0/8'), within('::1/128'));
/** An IPv6 address has its scope in the last four bits of the second byte. */
const isLinkLocalMulticast = anyOf(
  within('224.0.0.0/24'),
  ({ family, number }) => family === 'IPv6' && number >> 120n === 0xffn && ((number >> 112n) & 0xfn) === 2n,
);
const isLinkLocalUnicast = anyOf(within('169.254.0.0/16'), within('fe80::/10'));
const isMulticast = anyOf(within('224.0.0.0/4'), within('ff00::/8'));
const isBroadcast = within('255.255.255.255/32');
const isGlobalUnicast: AddressTest = (address) =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !isBroadcast(address);

const rangeContainsIp = (outer: CidrValue, inner: IpValue): boolean =>
  rangeContains(outer.range, inner.address);

const rangeContainsRange = (outer: CidrValue, inner: CidrValue): boolean =>
  outer.range.bits <= inner.range.bits && rangeContains(outer.range, inner.range);

function masked({ range }: CidrValue): CidrValue {
  const hostBits = BigInt((range.family === 'IPv4' ? 32 : 128) - range.bits);
  return new CidrValue({ ...range, number: (range.number >> hostBits) << hostBits });
}

const formatCidr = ({ range }: CidrValue): string => `${formatIp(range)}/${range.bits}`;

/** Comparing two addresses of 4 to 16 bytes, after reading the second one where it is a string. */
const containment = ({ isRange, isText }: { isRange: boolean; isText: boolean }): CostRule => ({
  work: isText ? 190 : 10,
  cost: ([outer, inner], evaluation) => {
    const size = evaluation.sizeOf(outer);
    const ranges = isRange ? Math.ceil(size * TRAVERSAL) + 1 : 0;
    const reading = isText ? Math.ceil(evaluation.sizeOf(inner) * TRAVERSAL) : 0;
    return Math.ceil(2 * size * TRAVERSAL) + ranges + reading;
  },
  estimate: ([, inner]) => {
    const compared = scale({ min: 8, max: 32 }, TRAVERSAL);
    const ranges = isRange ? scale({ min: 4, max: 16 }, TRAVERSAL) : fixed(0);
    const own = isRange ? 1 : 0;
    const reading = isText ? scale(inner?.size ?? unknown, TRAVERSAL) : fixed(0);
    const [min, max] = [compared.min + ranges.min + own, compared.max + ranges.max + own];
    return { cost: { min: min + reading.min, max: max + reading.max } };
  },
});

const { bool, int, string } = types;
const constant = { ...constantCost(1), work: 10 };
const reading = traversal({ work: 180 });
const writing = { work: 150 };

const ipTest = (id: string, test: AddressTest) => [
  member(id, [[ipType], bool], (value: IpValue) => test(value.address), constant),
];

export const network: Library = {
  name: 'IP and CIDR',
  types: [ipType, cidrType],
  functions: {
    ip: [
      overload('string_to_ip', [[string], ipType], ip, reading),
      member('cidr_ip', [[cidrType], ipType], ({ range }: CidrValue) => new IpValue(range), constant),
    ],
    isIP: [overload('is_ip', [[string], bool], (text: string) => typeof readIp(text) !== 'string', reading)],
    'ip.isCanonical': [
      overload(
        'ip_is_canonical',
        [[string], bool],
        (text: string) => formatIp(ip(text).address) === text,
        traversal({ factor: 2, work: 250 }),
      ),
    ],
    family: [
      member(
        'ip_family',
        [[ipType], int],
        ({ address }: IpValue) => (address.family === 'IPv4' ? 4 : 6),
        constant,
      ),
    ],
    isUnspecified: ipTest('ip_is_unspecified', isUnspecified),
    isLoopback: ipTest('ip_is_loopback', isLoopback),
    isLinkLocalMulticast: ipTest('ip_is_link_local_multicast', isLinkLocalMulticast),
    isLinkLocalUnicast: ipTest('ip_is_link_local_unicast', isLinkLocalUnicast),
    isGlobalUnicast: ipTest('ip_is_global_unicast', isGlobalUnicast),
    cidr: [overload('string_to_cidr', [[string], cidrType], cidr, reading)],
    isCIDR: [
      overload('is_cidr', [[string], bool], (text: string) => typeof readCidr(text) !== 'string', reading),
    ],
    containsIP: [
      member(
        'cidr_contains_ip_string',
        [[cidrType, string], bool],
        (outer: CidrValue, inner: string) => rangeContainsIp(outer, ip(inner)),
        containment({ isRange: false, isText: true }),
      ),
      member(
        'cidr_contains_ip_ip',
        [[cidrType, ipType], bool],
        rangeContainsIp,
        containment({ isRange: false, isText: false }),
      ),
    ],
    containsCIDR: [
      member(
        'cidr_contains_cidr_string',
        [[cidrType, string], bool],
        (outer: CidrValue, inner: string) => rangeContainsRange(outer, cidr(inner)),
        containment({ isRange: true, isText: true }),
      ),
      member(
        'cidr_contains_cidr',
        [[cidrType, cidrType], bool],
        rangeContainsRange,
        containment({ isRange: true, isText: false }),
      ),
    ],
    prefixLength: [
      member('cidr_prefix_length', [[cidrType], int], ({ range }: CidrValue) => range.bits, constant),
    ],
    masked: [member('cidr_masked', [[cidrType], cidrType], masked, constant)],
    string: [
      overload('ip_to_string', [[ipType], string], ({ address }: IpValue) => formatIp(address), writing),
      overload('cidr_to_string', [[cidrType], string], formatCidr, writing),
    ],
  },
};
