/**
 * A process that a test kills: writes several keys concurrently to the embedded store in the given directory, and
 * prints `<op> <revision> <key> <sequence>` for every commit that was acknowledged.
 */
import { systemEnv } from '@orch/machinery/env';
import type { Store } from '../../store.ts';
import { readable } from '../../store-values.ts';
import { openEmbeddedStore } from '../open-embedded-store.ts';
import { crashKey, crashValue } from './crash-value.ts';

const CLIENTS = 8;
const COMPACT_EVERY = 150;
const KEEP_REVISIONS = 100;

const { signal } = new AbortController();
const store = await openEmbeddedStore({
  dir: process.argv[2] ?? '',
  env: systemEnv(),
  checkpointBytes: 512 * 1024,
});

/** Creates a key, updates it a few times, deletes it, and repeats. */
async function client(own: Store, key: string): Promise<void> {
  let { kv } = await own.get(key, signal);
  for (let sequence = kv === undefined ? 0 : sequenceOf(readable(kv).value) + 1; ; sequence++) {
    const value = crashValue(key, sequence);
    const expected = kv?.modRevision ?? 0;
    const op = kv === undefined ? 'create' : sequence % 7 === 6 ? 'delete' : 'update';
    const result = await own.commit(
      op === 'create' ? { op, key, value } : { op, key, value, expected },
      signal,
    );
    if (!result.ok) throw new Error(`${op} of ${key} failed without another writer`);
    const { rev } = result;
    process.stdout.write(`${op} ${rev} ${key} ${sequence}\n`);
    kv = op === 'delete' ? undefined : { key, value, createRevision: rev, modRevision: rev };
    if (rev % COMPACT_EVERY === 0) void own.compact(rev - KEEP_REVISIONS, signal);
  }
}

function sequenceOf(value: Buffer): number {
  return Number(value.toString('latin1').split(' ')[1]);
}

await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(store, crashKey(i))));
