import { randomBytes } from 'node:crypto';
import type { Env } from '@orch/machinery';
import { systemRandom } from '@orch/machinery/env';
import type { Store } from '@orch/storage';
import { type BackupOrigin, encodeBackup } from '../encode-backup.ts';
import type { Entry } from '../format/entry.ts';
import { type BackupSecret, newBackupKey } from '../keys/backup-key.ts';
import { storeContent } from '../store-content.ts';

export const keySecret = (): BackupSecret => ({ kind: 'keyFile', key: randomBytes(32) });

export const origin: BackupOrigin = {
  id: '00112233445566778899aabbccddeeff',
  createdAt: '2026-01-02T03:04:05Z',
  revision: 42,
  prefix: '/registry/',
};

export const entry = (key: string, value: string | Buffer = key, ttlSeconds?: number): Entry => ({
  key,
  value: Buffer.from(value),
  createRevision: 3,
  modRevision: 5,
  ttlSeconds,
});

export async function* partsOf(...parts: readonly (readonly Entry[])[]): AsyncGenerator<readonly Entry[]> {
  yield* parts;
}

/** The chunks of a backup of these entries. */
export async function chunksOf(
  parts: AsyncIterable<readonly Entry[]>,
  secret?: BackupSecret,
  from: BackupOrigin = origin,
): Promise<readonly Buffer[]> {
  const key = secret === undefined ? undefined : await newBackupKey(secret, systemRandom);
  const chunks: Buffer[] = [];
  for await (const chunk of encodeBackup(parts, { origin: from, key })) chunks.push(chunk);
  return chunks;
}

/** A backup of a store, in memory. */
export async function backupOf(
  store: Store,
  { prefix, env, signal }: { prefix: string; env: Pick<Env, 'clock' | 'random'>; signal: AbortSignal },
): Promise<Buffer> {
  const content = await storeContent(store, { prefix, env }, signal);
  return Buffer.concat(await chunksOf(content.entries, undefined, content.origin));
}

/** Bytes in chunks of any size. */
export async function* chunked(bytes: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
