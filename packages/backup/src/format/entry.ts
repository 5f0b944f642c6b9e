import { type Revision, readable, type ScanPart } from '@orch/storage';
import { BackupError } from '../backup-error.ts';

/** One key of a backup. */
export interface Entry {
  /** Without the prefix of the store. */
  readonly key: string;
  /** As stored: encrypted at rest when it was. */
  readonly value: Buffer;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  /** Remaining seconds when the backup was made; undefined for a permanent key. */
  readonly ttlSeconds: number | undefined;
}

/** Lengths of key and value, the ttl (0: none) and two revisions. */
const HEAD_BYTES = 4 + 4 + 4 + 8 + 8;

export const entriesOfPart = ({ items, ttls }: ScanPart, prefix: string): readonly Entry[] =>
  items.map((kv) => ({
    key: kv.key.slice(prefix.length),
    value: readable(kv).value,
    createRevision: kv.createRevision,
    modRevision: kv.modRevision,
    ttlSeconds: ttls?.get(kv.key),
  }));

export function encodeEntry(entry: Entry): Buffer {
  const key = Buffer.from(entry.key);
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + key.length + entry.value.length);
  bytes.writeUInt32LE(key.length, 0);
  bytes.writeUInt32LE(entry.value.length, 4);
  bytes.writeUInt32LE(entry.ttlSeconds ?? 0, 8);
  bytes.writeBigUInt64LE(BigInt(entry.createRevision), 12);
  bytes.writeBigUInt64LE(BigInt(entry.modRevision), 20);
  key.copy(bytes, HEAD_BYTES);
  entry.value.copy(bytes, HEAD_BYTES + key.length);
  return bytes;
}

/** The entries of a frame. Values are views of it. */
export function decodeEntries(bytes: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes.length - at < HEAD_BYTES) throw malformed();
    const keyEnd = at + HEAD_BYTES + bytes.readUInt32LE(at);
    const end = keyEnd + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) throw malformed();
    const ttlSeconds = bytes.readUInt32LE(at + 8);
    entries.push({
      key: bytes.toString('utf8', at + HEAD_BYTES, keyEnd),
      value: bytes.subarray(keyEnd, end),
      createRevision: revisionAt(bytes, at + 12),
      modRevision: revisionAt(bytes, at + 20),
      ttlSeconds: ttlSeconds === 0 ? undefined : ttlSeconds,
    });
    at = end;
  }
  return entries;
}

function revisionAt(bytes: Buffer, at: number): Revision {
  const revision = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(revision)) throw malformed();
  return revision;
}

const malformed = (): BackupError => new BackupError('damaged', 'the backup is damaged: malformed entries');
