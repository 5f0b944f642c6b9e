import { compareKeys } from '@orch/storage';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './format/byte-reader.ts';
import { decodeEntries, type Entry } from './format/entry.ts';
import { FrameDecoder, TRAILER } from './format/frame.ts';
import { type BackupHeader, readHeader } from './format/header.ts';
import { sealOf } from './format/seal.ts';
import { type BackupSummary, decodeSummary } from './format/summary.ts';
import { type BackupSecret, existingBackupKey } from './keys/backup-key.ts';

/** A backup whose header was read. */
export interface OpenedBackup extends AsyncDisposable {
  readonly header: BackupHeader;
  /**
   * The entries, in the order of their keys; the result is the summary. May be read once. Throws `damaged` or
   * `truncated` at the frame concerned, after the entries before it, which are valid.
   */
  readonly entries: AsyncGenerator<readonly Entry[], BackupSummary>;
}

/** Reads the header of a backup. Throws a `BackupError`. */
export async function openBackup(
  chunks: AsyncIterable<Uint8Array>,
  secret: BackupSecret | undefined,
): Promise<OpenedBackup> {
  const reader = new ByteReader(chunks);
  try {
    const { header, digest } = await readHeader(reader);
    const { encryption } = header;
    const key = encryption === undefined ? undefined : await existingBackupKey(encryption, secret);
    const frames = new FrameDecoder(reader, sealOf(key), digest);
    return {
      header,
      entries: readEntries(frames, reader),
      [Symbol.asyncDispose]: () => reader.close(),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

async function* readEntries(
  frames: FrameDecoder,
  reader: ByteReader,
): AsyncGenerator<readonly Entry[], BackupSummary> {
  let count = 0;
  let bytes = 0;
  let last = '';
  for (;;) {
    const { type, payload } = await frames.next();
    if (type === TRAILER) {
      const summary = decodeSummary(payload);
      if (summary.entries !== count || summary.bytes !== bytes)
        throw new BackupError('damaged', 'the backup is damaged: entries are missing or were changed');
      if ((await reader.upTo(1)).length > 0)
        throw new BackupError('damaged', 'the backup is damaged: bytes follow its end');
      return summary;
    }
    const entries = decodeEntries(payload);
    for (const { key, value } of entries) {
      if (count > 0 && compareKeys(last, key) >= 0)
        throw new BackupError('damaged', 'the backup is damaged: its keys are not in order');
      last = key;
      count++;
      bytes += Buffer.byteLength(key) + value.length;
    }
    yield entries;
  }
}

/** Reads a backup to its end, and checks every byte of it. Throws a `BackupError`. */
export async function verifyBackup(
  chunks: AsyncIterable<Uint8Array>,
  secret: BackupSecret | undefined,
): Promise<{ readonly header: BackupHeader; readonly summary: BackupSummary }> {
  await using backup = await openBackup(chunks, secret);
  for (;;) {
    const next = await backup.entries.next();
    if (next.done === true) return { header: backup.header, summary: next.value };
  }
}
