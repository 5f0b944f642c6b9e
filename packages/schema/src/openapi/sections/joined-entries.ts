import { crc32 } from 'node:zlib';
import { compressedPiece, type Encoded, inflated, type Piece } from '../pieces/index.ts';

/** Average number of entries of a piece. */
const ENTRIES_PER_PIECE = 16;
/** Entries are joined up to this size, which takes 2 to 4 ms with the digest. */
const JOINED_BYTES = 1024 * 1024;

/** Paths or a definition in a document. Its bytes are in the piece that it was joined into last. */
export interface Entry {
  /** Number of its bytes. */
  readonly length: number;
  /** Whether a piece ends with it. Its name decides, so that a change of other entries moves no ends of pieces. */
  readonly isLast: boolean;
  /** Its bytes until it is joined. */
  kept: Buffer | JoinedEntries;
}

/** A piece of the bytes of entries, with separators between them. */
interface JoinedEntries {
  readonly piece: Piece;
  readonly entries: readonly Entry[];
}

/** An entry that is not joined yet, of bytes in a row with separators between them. */
export function entryOf(name: string, parts: readonly Encoded[], separator: Encoded): Entry {
  const bytes = concat(parts, separator);
  return { length: bytes.length, isLast: crc32(name) % ENTRIES_PER_PIECE === 0, kept: bytes };
}

/**
 * Joins entries into pieces. Entries that are in a piece already, and no others, are not joined again; the bytes of the others are
 * taken from the pieces that they are in. Equal entries become equal pieces, whatever they were joined with before. Other work
 * happens in pauses between new pieces.
 */
export async function joinedEntries(
  entries: readonly Entry[],
  separator: Encoded,
  pause: () => Promise<void>,
): Promise<readonly Piece[]> {
  const bytes = new EntryBytes(Buffer.byteLength(separator));
  const pieces: Piece[] = [];
  for (const group of groupsOf(entries)) {
    const known = group[0]?.kept;
    if (known !== undefined && isJoined(known) && areSame(known.entries, group)) pieces.push(known.piece);
    else {
      pieces.push(await join(group, separator, bytes));
      await pause();
    }
  }
  return pieces;
}

async function join(entries: readonly Entry[], separator: Encoded, bytes: EntryBytes): Promise<Piece> {
  const parts: Buffer[] = [];
  for (const entry of entries) parts.push(await bytes.of(entry));
  const piece = await compressedPiece(concat(parts, separator), 'fast');
  const kept = { piece, entries };
  for (const entry of entries) entry.kept = kept;
  return piece;
}

/** The entries of each piece, in order. */
function groupsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  let open: Entry[] | undefined;
  let bytes = 0;
  for (const entry of entries) {
    // A resource may have no paths.
    if (entry.length === 0) continue;
    if (open === undefined || bytes + entry.length > JOINED_BYTES) {
      open = [];
      groups.push(open);
      bytes = 0;
    }
    open.push(entry);
    bytes += entry.length;
    if (entry.isLast) open = undefined;
  }
  return groups;
}

/** The bytes of entries. Each piece is unpacked once. */
class EntryBytes {
  readonly #separatorLength: number;
  readonly #unpacked = new Map<JoinedEntries, ReadonlyMap<Entry, Buffer>>();

  constructor(separatorLength: number) {
    this.#separatorLength = separatorLength;
  }

  async of(entry: Entry): Promise<Buffer> {
    const { kept } = entry;
    if (!isJoined(kept)) return kept;
    const unpacked = this.#unpacked.get(kept) ?? (await this.#unpack(kept));
    this.#unpacked.set(kept, unpacked);
    const bytes = unpacked.get(entry);
    if (bytes === undefined) throw new Error('an entry is not in its piece');
    return bytes;
  }

  async #unpack({ piece, entries }: JoinedEntries): Promise<ReadonlyMap<Entry, Buffer>> {
    const all = await inflated(piece);
    const byEntry = new Map<Entry, Buffer>();
    let at = 0;
    for (const entry of entries) {
      byEntry.set(entry, all.subarray(at, at + entry.length));
      at += entry.length + this.#separatorLength;
    }
    return byEntry;
  }
}

const isJoined = (kept: Entry['kept']): kept is JoinedEntries => !Buffer.isBuffer(kept);

const areSame = (a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length && a.every((entry, i) => entry === b[i]);

function concat(parts: readonly Encoded[], separator: Encoded): Buffer {
  const [first = '', ...others] = parts.map(bufferOf);
  const between = bufferOf(separator);
  return others.length === 0
    ? bufferOf(first)
    : Buffer.concat([bufferOf(first), ...others.flatMap((part) => [between, part])]);
}

const bufferOf = (part: Encoded): Buffer => (typeof part === 'string' ? Buffer.from(part) : part);
