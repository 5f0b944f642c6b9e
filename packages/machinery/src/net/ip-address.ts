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
  const address = read(text);
  if (address === undefined) return undefined;
  const family = address.kind() === 'ipv4' ? 'IPv4' : 'IPv6';
  return { family, number: BigInt(`0x${bytesOf(address).toString('hex')}`) };
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
export const canonicalIp = (text: string): string | undefined => read(text)?.toString();

/** The bytes of an address in network order, 4 or 16; undefined when the text is not an address. */
export function ipBytes(text: string): Buffer | undefined {
  const address = read(text);
  return address === undefined ? undefined : bytesOf(address);
}

const bytesOf = (address: ipaddr.IPv4 | ipaddr.IPv6): Buffer => Buffer.from(address.toByteArray());

const dottedEnd = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

/**
 * The library also accepts the IPv4 forms of `inet_aton` (`127.1`, octal numbers), and reads `::1.2.3.4` as
 * `::ffff:1.2.3.4`: the syntax is therefore checked first, and the dotted end of an IPv6 address is written in
 * hexadecimal.
 */
function read(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Loaded on first use: this module is a part of the client library, which loads no network module when it is imported.
  const { isIP } = process.getBuiltinModule('node:net');
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return undefined;
  if (version === 4) return ipaddr.IPv4.parse(text);
  const hexadecimal = text.replace(dottedEnd, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  return ipaddr.IPv6.parse(hexadecimal);
}
