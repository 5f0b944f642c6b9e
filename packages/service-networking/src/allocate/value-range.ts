import { formatIp, type IpAddress, type IpFamily, parseIp, parseIpRange } from '@orch/machinery/net';

/**
 * The values of a range, numbered from 0. Values below `staticCount` are preferred for explicit requests: they are
 * allocated automatically only when all others are taken. Values below `neverAutomatic` are never allocated
 * automatically.
 */
export interface ValueRange {
  /** The text of the flag: `10.0.0.0/24`, `30000-32767`. */
  readonly text: string;
  readonly size: number;
  readonly staticCount: number;
  readonly neverAutomatic: number;
  at(offset: number): string;
  /** Undefined for a value outside of the range. */
  offsetOf(value: string): number | undefined;
}

/** The addresses of services in one family. */
export interface AddressRange extends ValueRange {
  readonly family: IpFamily;
}

/** The ports of services on every node. */
export interface PortRange extends ValueRange {
  readonly first: number;
  readonly last: number;
}

/** Number of hosts of the largest range: 2^20 addresses. */
const MAX_HOST_BITS = 20;
const MIN_HOST_BITS = 3;
const bitsOf = (family: IpFamily): number => (family === 'IPv4' ? 32 : 128);

/** An invalid range; the message is for the author of the flag. */
export class BadRange extends Error {
  override readonly name = 'BadRange';
}

/** Reads `10.0.0.0/24` or `fd00::/112`. Throws `BadRange`. */
export function addressRange(text: string): AddressRange {
  const [literal = '', prefix = '', ...rest] = text.split('/');
  const address = parseIp(literal);
  if (address === undefined || rest.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(prefix)) {
    throw new BadRange('must be one or two ranges such as 10.0.0.0/16');
  }
  const { family } = address;
  const hostBits = bitsOf(family) - Number(prefix);
  if (hostBits < 0) throw new BadRange('must be one or two ranges such as 10.0.0.0/16');
  if (hostBits > MAX_HOST_BITS) {
    throw new BadRange(`a range of ${family} has a prefix of at least ${bitsOf(family) - MAX_HOST_BITS}`);
  }
  if (hostBits < MIN_HOST_BITS) {
    throw new BadRange(`a range of ${family} has a prefix of at most ${bitsOf(family) - MIN_HOST_BITS}`);
  }
  return rangeFrom(address, hostBits, prefix);
}

/**
 * The addresses of a range that an object declares; the default service has no address of it; at most as many as a flag may
 * name. Undefined for a range without addresses.
 */
export function declaredRange(text: string): AddressRange | undefined {
  const range = parseIpRange(text);
  if (range === undefined) return undefined;
  const hostBits = Math.min(bitsOf(range.family) - range.bits, MAX_HOST_BITS);
  if (hostBits < 2) return undefined;
  return { ...rangeFrom(range, hostBits, String(range.bits)), neverAutomatic: 0 };
}

function rangeFrom({ family, number }: IpAddress, hostBits: number, prefix: string): AddressRange {
  const base = (number >> BigInt(hostBits)) << BigInt(hostBits);
  // Neither the network address nor the IPv4 broadcast address is usable.
  const size = 2 ** hostBits - (family === 'IPv4' ? 2 : 1);
  return {
    family,
    text: `${formatIp({ family, number: base })}/${prefix}`,
    size,
    staticCount: staticCount(size, { least: 16, most: 256, share: 16 }),
    // The first address belongs to the default service.
    neverAutomatic: 1,
    at: (offset) => formatIp({ family, number: base + 1n + BigInt(offset) }),
    offsetOf(value) {
      const address = parseIp(value);
      if (address?.family !== family) return undefined;
      const offset = address.number - base - 1n;
      return offset >= 0n && offset < BigInt(size) ? Number(offset) : undefined;
    },
  };
}

/** Reads `30000-32767`, `30000+100` or `30080`. Throws `BadRange`. */
export function portRange(text: string): PortRange {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim());
  if (match === null) throw new BadRange('must be a range of ports such as 30000-32767');
  const first = Number(match[1]);
  const second = Number(match[3] ?? first);
  const last = match[2] === '+' ? first + second : second;
  if (first < 1 || last > 65_535 || last < first) {
    throw new BadRange('must be a range of ports such as 30000-32767');
  }
  const size = last - first + 1;
  return {
    first,
    last,
    text: `${first}-${last}`,
    size,
    staticCount: staticCount(size, { least: 16, most: 128, share: 32 }),
    neverAutomatic: 0,
    at: (offset) => String(first + offset),
    offsetOf(value) {
      const port = Number(value);
      return Number.isInteger(port) && port >= first && port <= last ? port - first : undefined;
    },
  };
}

/** Size of the part that is preferred for explicit requests. */
function staticCount(
  size: number,
  { least, most, share }: { readonly least: number; readonly most: number; readonly share: number },
): number {
  return size <= least ? 0 : Math.min(Math.max(least, Math.floor(size / share)), most);
}
