import { isIP } from 'node:net';

export type IpFamily = 'IPv4' | 'IPv6';

/** An address as a number, which is how ranges count. */
export interface IpAddress {
  readonly family: IpFamily;
  readonly number: bigint;
}

const GROUPS = 8;

/** Reads an address; undefined for anything else, and for one with a zone. */
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

/** The 16-bit groups of a valid IPv6 address, whose last two may be written like an IPv4 address. */
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

/** The one text of an address: what is compared, and what store keys are made of. */
export function formatIp({ family, number }: IpAddress): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.');
  const groups = Array.from({ length: GROUPS }, (_, i) =>
    Number((number >> BigInt(16 * (GROUPS - 1 - i))) & 0xffffn),
  );
  const { start, length } = longestZeroRun(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

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

/** The canonical text of an address; undefined when it is none. */
export function canonicalIp(text: string): string | undefined {
  const address = parseIp(text);
  return address === undefined ? undefined : formatIp(address);
}
