/** Copies of the files of one store in every state that a process can leave. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import { prefixRange } from '../../keys.ts';
import type { KeyValue, Store, Write } from '../../store.ts';
import { openEmbeddedStore } from '../open-embedded-store.ts';
import { SharedWriterThread } from '../writer/shared-writer-thread.ts';

const { signal } = new AbortController();
/** Seed of the stores' content; printed in the titles of tests. */
export const SEED = Number(process.env['SEED'] ?? 7);
export const FILES = [
  'store.db',
  'store.db-wal',
  'store.mark',
  'store.sums',
  'store.lock',
  'store.reserve',
] as const;
const OPTIONS = { checkpointBytes: 2 * 1024 * 1024, reserveBytes: 512 * 1024 };

/** Stores find damage when they are opened, before there is a writer: one thread writes them all. */
const sharedWriter = new SharedWriterThread();

export const openStore = (dir: string, seed = SEED) =>
  openEmbeddedStore({ dir, env: { ...testEnv(), random: seededRandom(seed) }, sharedWriter, ...OPTIONS });

/** Copies the files of an idle store: those of an open store are what a killed process leaves. */
export function copyFiles(from: string, to: string): string {
  mkdirSync(to, { recursive: true });
  for (const file of FILES) if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
  return to;
}

/** Writes until the store has checkpointed its log more than once. */
async function writeMuch(store: Store, seed: number, count: number): Promise<void> {
  const random = seededRandom(seed);
  for (let i = 0; i < count; i++) {
    const key = `/k/${random.int(40)}`;
    const { kv } = await store.get(key, signal);
    const value = Buffer.alloc(1 + random.int(6000), i);
    const expected = kv?.modRevision ?? 0;
    const write: Write =
      kv === undefined
        ? { op: 'create', key, value }
        : random.int(6) === 0
          ? { op: 'delete', key, expected }
          : { op: 'update', key, value, expected };
    assert.ok((await store.commit(write, signal)).ok);
  }
}

export interface Acknowledged {
  readonly rev: number;
  readonly items: readonly KeyValue[];
}

export async function stateOf(store: Store): Promise<Acknowledged> {
  const { rev, items } = await store.list(prefixRange('/k/'), {}, signal);
  return { rev, items };
}

/** Images of one store: killed and closed; both contain everything in `acknowledged`. */
export async function images(base: string) {
  const origin = join(base, 'origin');
  const other = await openStore(join(base, 'other'), SEED + 1);
  await writeMuch(other, SEED + 1, 60);
  const otherImage = copyFiles(join(base, 'other'), join(base, 'other-image'));
  await other.close();
  const store = await openStore(origin);
  await writeMuch(store, SEED, 60);
  const older = copyFiles(origin, join(base, 'older'));
  await writeMuch(store, SEED + 2, 45);
  const acknowledged = await stateOf(store);
  const killed = copyFiles(origin, join(base, 'killed'));
  await store.close();
  const closed = copyFiles(origin, join(base, 'closed'));
  return { killed, closed, acknowledged, sources: { other: otherImage, older } };
}
