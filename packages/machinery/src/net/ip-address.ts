import { isIP } from 'node:net';

export type IpFamily = 'IPv4' | 'IPv6';

/** An IP address as a number, which is how address ranges are counted. */
export interface IpAddress {
  readonly family: IpFamily;
  readonly number: bigint;
}

/** Groups of 16 bits in an IPv6 address. */
const GROUPS = 8;

/** Parses an IPv4 or IPv6 literal; undefined for anything else, and for an address with a zone. */
export function parseIp(text: string): IpAddress | undefined {
  if (text.includes('%')) return undefined;
  switch (isIP(text)) {
    case 4:
      return { family: 'IPv4', number: joined(text.split('.').map(Number), 8n) };
    case 6:
      return { family: 'IPv6', number: joined(groupsOf(text), 16n) };
    default:
      return undefined;
  }
}

const joined = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((sum, part) => (sum << bits) | BigInt(part), 0n);

/** The groups of a valid IPv6 literal, whose last two may be written like an IPv4 address. */
function groupsOf(text: string): readonly number[] {
  const [head = '', tail] = text.split('::');
  const before = groupsOfPart(head);
  if (tail === undefined) return before;
  const after = groupsOfPart(tail);
  return [...before, ...new Array<number>(GROUPS - before.length - after.length).fill(0), ...after];
}

const groupsOfPart = (part: string): readonly number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? pair(group) : [Number.parseInt(group, 16)]));

function pair(ipv4: string): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** The canonical text of an address (RFC 5952 for IPv6): what is compared, and what store keys contain. */
export function formatIp(address: IpAddress): string {
  const bytes = bytesOf(address);
  if (address.family === 'IPv4') return bytes.join('.');
  const groups = Array.from({ length: GROUPS }, (_, i) => bytes.readUInt16BE(2 * i));
  const { start, length } = longestZeroRun(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** The first one of several that are equally long. */
function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
    start = Math.max(start, end - 1);
  }
  return best;
}

/** The canonical text of an address; undefined when the text is not an address. */
export function canonicalIp(text: string): string | undefined {
  const address = parseIp(text);
  return address === undefined ? undefined : formatIp(address);
}

/** The bytes of an address in network order, 4 or 16; undefined when the text is not an address. */
export function ipBytes(text: string): Buffer | undefined {
  const address = parseIp(text);
  return address === undefined ? undefined : bytesOf(address);
}

const bytesOf = ({ family, number }: IpAddress): Buffer =>
  Buffer.from(number.toString(16).padStart(family === 'IPv4' ? 8 : 32, '0'), 'hex');
