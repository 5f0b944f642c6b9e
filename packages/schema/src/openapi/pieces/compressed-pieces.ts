import { type Compression, compressedPiece, type Encoded, type Piece } from './piece.ts';

/**
 * Entries are joined up to this size, which takes 2 to 4 ms with the digest. The compressed bytes of many entries are then so long that
 * the allocator maps them (`MALLOC_MMAP_THRESHOLD_` in `bin/`): pieces that are replaced leave no holes between others.
 */
const JOINED_BYTES = 1024 * 1024;

/** Entries in a row, with a separator between them but neither at the start nor at the end. */
export async function compressedPieces(
  entries: readonly Encoded[],
  separator: Encoded,
  compression: Compression = 'small',
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  let open: Encoded[] = [];
  let bytes = 0;
  const close = async (): Promise<void> => {
    if (open.length > 0) pieces.push(await compressedPiece(joined(open), compression));
    open = [];
    bytes = 0;
  };
  for (const entry of entries) {
    if (bytes + entry.length > JOINED_BYTES) await close();
    if (open.length > 0) open.push(separator);
    open.push(entry);
    bytes += entry.length;
  }
  await close();
  return pieces;
}

/** Strings are joined as such: a buffer for each of them would take longer than their bytes. */
function joined(entries: readonly Encoded[]): Buffer {
  if (entries.every((entry) => typeof entry === 'string')) return Buffer.from(entries.join(''));
  return Buffer.concat(entries.map((entry) => (typeof entry === 'string' ? Buffer.from(entry) : entry)));
}
