/** An archive that cannot be read. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

/** The replacement of fields of the next header block. */
export interface LongHeaders {
  readonly name?: string;
  readonly linkName?: string;
  readonly size?: number;
}

/** The fields of a header block. */
export interface HeaderBlock {
  readonly name: string;
  readonly linkName: string;
  readonly size: number;
  readonly mode: number;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** The content is a header of the next member. */
  readonly longKind: 'pax' | 'name' | 'link' | 'ignored' | undefined;
}

const BLOCK = 512;
const longKinds: Readonly<Record<string, HeaderBlock['longKind']>> = {
  x: 'pax',
  g: 'ignored',
  L: 'name',
  K: 'link',
};
const kinds: Readonly<Record<string, HeaderBlock['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '5': 'folder',
};

export function readHeader(block: Buffer): HeaderBlock {
  if (numberAt(block, 148, 8) !== checksum(block)) throw new TarError('a header has a wrong checksum');
  const type = block.toString('latin1', 156, 157);
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textAt(block, 345, 155) : '';
  const own = textAt(block, 0, 100);
  const name = prefix === '' ? own : `${prefix}/${own}`;
  const kind = kinds[type] ?? 'other';
  return {
    name,
    linkName: textAt(block, 157, 100),
    size: numberAt(block, 124, 12),
    mode: numberAt(block, 100, 8) & 0o777,
    kind: kind === 'file' && name.endsWith('/') ? 'folder' : kind,
    longKind: longKinds[type],
  };
}

const textAt = (block: Buffer, start: number, length: number): string =>
  block.toString('utf8', start, start + length).replace(/\0.*$/s, '');

/** Octal digits, or, for large values, bytes after a first one with the highest bit. */
function numberAt(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first >= 0x80) {
    const value = first === 0x80 ? block.readUIntBE(start + length - 6, 6) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw new TarError('a number is too large');
    return value;
  }
  const digits = textAt(block, start, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError('a number is not octal');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** The sum of all bytes, with blanks in the place of the sum. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += block[i] ?? 0;
  return sum;
}

/** The expected ownership of a member. */
export interface WrittenMember {
  readonly name: string;
  readonly type: '0' | '2' | '5';
  readonly size: number;
  readonly mode: number;
  readonly linkName?: string;
}

/** The header blocks of a member: with a pax header for what one block cannot have. */
export function writeHeader(member: WrittenMember): Buffer {
  const { name, linkName = '', size } = member;
  const records = [
    ...(Buffer.byteLength(name) > 100 ? [paxRecord('path', name)] : []),
    ...(Buffer.byteLength(linkName) > 100 ? [paxRecord('linkpath', linkName)] : []),
    ...(size >= 8 ** 11 ? [paxRecord('size', String(size))] : []),
  ];
  const block = headerBlock({ ...member, size: size >= 8 ** 11 ? 0 : size }, member.type);
  if (records.length === 0) return block;
  const body = Buffer.from(records.join(''));
  const pax = headerBlock({ name: 'pax', type: '0', mode: 0o644, size: body.length }, 'x');
  return Buffer.concat([pax, body, padding(body.length), block]);
}

/** Zeros after a content up to the next block. */
export const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** The two empty blocks at the end. */
export const archiveEnd = (): Buffer => Buffer.alloc(2 * BLOCK);

function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function headerBlock({ name, linkName = '', size, mode }: WrittenMember, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, start: number, length: number): number =>
    block.write(value.toString(8).padStart(length - 1, '0'), start, 'latin1');
  Buffer.from(name).copy(block, 0, 0, 100);
  octal(mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write(type, 156, 'latin1');
  Buffer.from(linkName).copy(block, 157, 0, 100);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
