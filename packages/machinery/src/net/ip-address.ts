import ipaddr from 'ipaddr.js';

export type IpFamily = 'IPv4' | 'IPv6';

export const isIpFamily = (text: string): text is IpFamily => text === 'IPv4' || text === 'IPv6';

/** An IP address as a number, which is how address ranges are counted. */
export interface IpAddress {
  readonly family: IpFamily;
  readonly number: bigint;
}

/** Parses an IPv4 or IPv6 literal; undefined for anything else, and for an address with a zone. */
export function parseIp(text: string): IpAddress | undefined {
  const number = ipv4Number(text);
  if (number !== undefined) return { family: 'IPv4', number: BigInt(number) };
  const address = readIpv6(text);
  if (address === undefined) return undefined;
  return { family: 'IPv6', number: BigInt(`0x${bytesOf(address).toString('hex')}`) };
}

/** The IPv4 address within an address such as `::ffff:10.0.0.1`; any other address unchanged. */
export function unmappedIp(address: IpAddress): IpAddress {
  if (address.family === 'IPv4' || address.number >> 32n !== 0xffffn) return address;
  return { family: 'IPv4', number: address.number & 0xffff_ffffn };
}

/** The canonical text of an address (RFC 5952 for IPv6), for comparisons and store keys. */
export const formatIp = ({ family, number }: IpAddress): string => {
  const hex = number.toString(16).padStart(family === 'IPv4' ? 8 : 32, '0');
  return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString();
};

/** The canonical text of an address; undefined when the text is not an address. */
export const canonicalIp = (text: string): string | undefined =>
  ipv4Number(text) === undefined ? readIpv6(text)?.toString() : text;

/** The bytes of an address in network order, 4 or 16; undefined when the text is not an address. */
export function ipBytes(text: string): Buffer | undefined {
  const number = ipv4Number(text);
  if (number !== undefined) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    return bytes;
  }
  const address = readIpv6(text);
  return address === undefined ? undefined : bytesOf(address);
}

const bytesOf = (address: ipaddr.IPv6): Buffer => Buffer.from(address.toByteArray());

const ZERO = 0x30;
const DOT = 0x2e;
const LONGEST_IPV4 = '255.255.255.255'.length;

/** The number of an IPv4 address: four decimal bytes without leading zeros. Undefined for any other text. */
function ipv4Number(text: string): number | undefined {
  if (text.length > LONGEST_IPV4) return undefined;
  let number = 0;
  let byte = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = code - ZERO;
    if (code === DOT && digits > 0) {
      number = number * 256 + byte;
      [byte, digits] = [0, 0];
      dots++;
    } else if (digit >= 0 && digit <= 9 && (digits === 0 || byte > 0)) {
      byte = byte * 10 + digit;
      digits++;
    } else return undefined;
    if (byte > 255 || dots > 3) return undefined;
  }
  return dots === 3 && digits > 0 ? number * 256 + byte : undefined;
}

const dottedEnd = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/**
 * The library also accepts texts in other forms, and reads `::1.2.3.4` as `::ffff:1.2.3.4`: the syntax is therefore checked first, and
 * the dotted end of an address is written in hexadecimal.
 */
function readIpv6(text: string): ipaddr.IPv6 | undefined {
  // Loaded on first use: this module is a part of the client library, which loads no network module when it is imported.
  const { isIPv6 } = process.getBuiltinModule('node:net');
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const hexadecimal = text.replace(dottedEnd, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  return ipaddr.IPv6.parse(hexadecimal);
}
