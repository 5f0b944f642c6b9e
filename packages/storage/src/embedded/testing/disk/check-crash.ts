import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { prefixRange } from '../../../keys.ts';
import type { Store } from '../../../store.ts';
import { openEmbeddedStore } from '../../open-embedded-store.ts';
import { SharedWriterThread } from '../../writer/shared-writer-thread.ts';
import { contentAt, DISK_LIMITS, DISK_PREFIX, type Reported } from './disk-content.ts';
import type { DiskImage } from './simulated-disk.ts';

const { signal } = new AbortController();
/** Shared memory of the connections, which SQLite creates again. */
const NOT_ON_DISK = 'store.db-shm';

const sharedWriter = new SharedWriterThread();

/** What the process had reported before a crash, and in the end. */
export interface History {
  readonly before: readonly Reported[];
  readonly all: readonly Reported[];
}

export function writeImage(dir: string, image: DiskImage): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const [name, bytes] of image) if (name !== NOT_ON_DISK) writeFileSync(join(dir, name), bytes);
}

export const openDisk = (dir: string): Promise<Store> =>
  openEmbeddedStore({
    dir,
    env: { ...testEnv(), random: seededRandom(1) },
    sharedWriter,
    ...DISK_LIMITS,
    // The reserve costs time here, and no promise concerns its file.
    reserveBytes: 0,
  });

/** Checks that a store has the content of one revision, and that no acknowledged commit has a higher one. Then it accepts writes. */
export async function checkStore(store: Store, { before, all }: History): Promise<void> {
  const { rev, items } = await store.list(prefixRange(DISK_PREFIX), {}, signal);
  const acknowledged = before.reduce((highest, one) => Math.max(highest, one.rev), 0);
  const highest = all.reduce((max, one) => Math.max(max, one.rev), 1);
  assert.ok(rev >= acknowledged, `the store ends at revision ${rev}; ${acknowledged} was acknowledged`);
  assert.ok(rev <= highest, `the store is at revision ${rev}; ${highest} was the last one`);
  const expected = contentAt(all, rev);
  const actual = items.map((kv) => [kv.key, `${kv.modRevision} ${kv.value?.toString('latin1')}`] as const);
  assert.deepEqual(new Map(actual), expected, `the content at revision ${rev}`);
  const next = await store.commit({ op: 'create', key: '/after', value: Buffer.from('x') }, signal);
  assert.ok(next.ok && next.rev === rev + 1, 'the store accepts writes');
}

/** Opens the files after a crash and checks the store. */
export async function checkImage(dir: string, image: DiskImage, history: History): Promise<void> {
  writeImage(dir, image);
  const store = await openDisk(dir);
  try {
    await checkStore(store, history);
  } finally {
    await store.close();
  }
}
