import { BackupError } from '../backup-error.ts';

/** Reads chunks of any size as fields of given sizes. Holds no more than one field and one chunk. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next `length` bytes. Throws `truncated` when there are fewer. */
  async exactly(length: number): Promise<Buffer> {
    const bytes = await this.upTo(length);
    if (bytes.length < length)
      throw new BackupError('truncated', 'the backup is incomplete: the file ends early');
    return bytes;
  }

  /** The next `length` bytes, or those that are left. */
  async upTo(length: number): Promise<Buffer> {
    const parts = [this.#rest];
    let available = this.#rest.length;
    while (available < length) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
      parts.push(chunk);
      available += chunk.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Ends reading before the end. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
