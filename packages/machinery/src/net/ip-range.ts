import { type IpAddress, type IpFamily, parseIp } from './ip-address.ts';

/** An address with a prefix length, `10.0.0.0/8`; bits of the host part may be set. */
export interface IpRange {
  readonly family: IpFamily;
  /** The given address, as a number. */
  readonly number: bigint;
  /** Length of the prefix. */
  readonly bits: number;
}

const prefixForm = /^(?:0|[1-9][0-9]{0,2})$/;

const addressBits = (family: IpFamily): number => (family === 'IPv4' ? 32 : 128);

/** Parses an address range; undefined when the text is not one. */
export function parseIpRange(text: string): IpRange | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || !prefixForm.test(text.slice(slash + 1))) return undefined;
  const address = parseIp(text.slice(0, slash));
  const bits = Number(text.slice(slash + 1));
  if (address === undefined || bits > addressBits(address.family)) return undefined;
  return { ...address, bits };
}

/** Reports whether an address lies in a range; false when they are of different families. */
export function rangeContains({ family, number, bits }: IpRange, address: IpAddress): boolean {
  if (address.family !== family) return false;
  const hostBits = BigInt(addressBits(family) - bits);
  return address.number >> hostBits === number >> hostBits;
}

/** Reports whether `smaller` is a proper part of `larger`. */
export const isProperSubrange = (smaller: IpRange, larger: IpRange): boolean =>
  smaller.bits > larger.bits && rangeContains(larger, smaller);
