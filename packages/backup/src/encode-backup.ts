import { namesFor, namings } from '@orch/machinery';
import { encryptionPrefixOf, type Revision } from '@orch/storage';
import { type Entry, encodeEntry } from './format/entry.ts';
import { ENTRIES, FrameEncoder, TRAILER } from './format/frame.ts';
import { encodeHeader } from './format/header.ts';
import { sealOf } from './format/seal.ts';
import { type BackupSummary, encodeSummary } from './format/summary.ts';
import type { DerivedKey } from './keys/backup-key.ts';

/** The source of a backup. */
export interface BackupOrigin {
  readonly id: string;
  readonly createdAt: string;
  readonly revision: Revision;
  readonly prefix: string;
  /** Number of keys, for progress; undefined when it is not known. */
  readonly keys?: number | undefined;
}

export interface EncodeOptions {
  readonly origin: BackupOrigin;
  /** Encrypts the backup; undefined for one that is only checksummed. */
  readonly key: DerivedKey | undefined;
  /** Called after every frame with the encoded amount so far. */
  readonly onProgress?: (summary: BackupSummary) => void;
}

/** Approximate size of a frame. */
const FRAME_BYTES = 1024 * 1024;

/** Encodes entries, which are in the order of their keys, as a backup. Holds about two frames in memory. */
export async function* encodeBackup(
  parts: AsyncIterable<readonly Entry[]>,
  { origin, key, onProgress }: EncodeOptions,
): AsyncGenerator<Buffer> {
  const { bytes, digest } = encodeHeader({ ...origin, encryption: key?.header });
  yield bytes;
  const frames = new FrameEncoder(sealOf(key?.key), digest);
  const contents = new Contents();
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const entries of parts) {
    for (const entry of entries) {
      const encoded = encodeEntry(entry);
      contents.add(entry);
      pending.push(encoded);
      pendingBytes += encoded.length;
      if (pendingBytes < FRAME_BYTES) continue;
      const payload = Buffer.concat(pending);
      [pending, pendingBytes] = [[], 0];
      yield await frames.encode({ type: ENTRIES, payload });
      onProgress?.(contents.summary());
    }
  }
  if (pendingBytes > 0) yield await frames.encode({ type: ENTRIES, payload: Buffer.concat(pending) });
  onProgress?.(contents.summary());
  yield await frames.encode({ type: TRAILER, payload: encodeSummary(contents.summary()) });
}

/** Counts the content of a backup. */
class Contents {
  /** Of both namings: the content of a store tells nothing else of the naming of its servers. */
  readonly #markers = namings.map((naming) => namesFor(naming).storedPrefixes.encrypted);
  readonly #encrypted = new Map<string, number>();
  #entries = 0;
  #bytes = 0;

  add({ key, value }: Entry): void {
    this.#entries++;
    this.#bytes += Buffer.byteLength(key) + value.length;
    for (const marker of this.#markers) {
      const prefix = encryptionPrefixOf(value, marker);
      if (prefix !== undefined) this.#encrypted.set(prefix, (this.#encrypted.get(prefix) ?? 0) + 1);
    }
  }

  summary(): BackupSummary {
    const encryptedAtRest = Object.fromEntries(this.#encrypted);
    return { entries: this.#entries, bytes: this.#bytes, encryptedAtRest };
  }
}
