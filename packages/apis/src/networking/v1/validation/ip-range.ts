import { BlockList } from 'node:net';
import { cidr } from '@orch/machinery';

/** A range of addresses, as its text says it: the address may be any one within. */
export interface IpRange {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly bits: number;
}

/** Reads `10.0.0.0/8`; undefined when it is no range. */
export function parseRange(text: string): IpRange | undefined {
  if (cidr(text) !== undefined) return undefined;
  const slash = text.indexOf('/');
  const address = text.slice(0, slash);
  return { address, family: address.includes(':') ? 'ipv6' : 'ipv4', bits: Number(text.slice(slash + 1)) };
}

/** Whether a range is a part of another one, and not all of it. */
export function isWithin(smaller: IpRange, larger: IpRange): boolean {
  if (smaller.family !== larger.family || smaller.bits <= larger.bits) return false;
  const list = new BlockList();
  list.addSubnet(larger.address, larger.bits, larger.family);
  return list.check(smaller.address, smaller.family);
}
