/**
 * A process whose system calls are recorded: one session of writes to the embedded store in the first directory. It appends each
 * outcome to the file in the second argument. It ends with or without closing the store.
 */
import { openSync, writevSync } from 'node:fs';
import { messageOf } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import { prefixRange } from '../../../keys.ts';
import { type Store, StoreError, type Write } from '../../../store.ts';
import { openEmbeddedStore } from '../../open-embedded-store.ts';
import { DISK_LIMITS, DISK_PREFIX, diskValue } from './disk-content.ts';

const KEYS = 8;
const COMPACT_EVERY = 8;

const [dir = '', output = '', seed = '', groups = '', end = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const random = seededRandom(Number(seed));
const report = openSync(output, 'a');
const versions = new Map<string, number>();

/** Two buffers need another system call than those of the store: faults of these do not concern it. */
const say = (line: string): void => void writevSync(report, [Buffer.from(line), Buffer.from('\n')]);

/** Writes a key that nobody else writes meanwhile. */
async function write(store: Store, key: string): Promise<void> {
  const expected = versions.get(key);
  const value = diskValue(key, random.int(1_000_000));
  const request: Write =
    expected === undefined
      ? { op: 'create', key, value }
      : random.int(5) === 0
        ? { op: 'delete', key, expected }
        : { op: 'update', key, value, expected };
  const number = request.op === 'delete' ? 'deleted' : String(value).split(' ')[1];
  try {
    const result = await store.commit(request, signal);
    if (!result.ok) throw new Error(`${request.op} of ${key} failed without another writer`);
    if (request.op === 'delete') versions.delete(key);
    else versions.set(key, result.rev);
    say(`stored ${result.rev} ${key} ${number}`);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    say(`${error.code} 0 ${key} ${number}`);
    // Tells whether a write was stored that the store has refused.
    const { kv } = await store.get(key, signal);
    if (kv?.modRevision !== expected) say(`changed ${kv?.modRevision ?? 0} ${key} ${number}`);
  }
}

async function opened(): Promise<Store> {
  try {
    return await openEmbeddedStore({ dir, env: { ...systemEnv({}), log: silentLogger }, ...DISK_LIMITS });
  } catch (error) {
    say(`unopened 0 - ${messageOf(error)}`);
    process.exit(0);
  }
}

const store = await opened();
for (const { key, modRevision } of (await store.list(prefixRange(DISK_PREFIX), {}, signal)).items)
  versions.set(key, modRevision);
for (let group = 1; group <= Number(groups); group++) {
  const first = random.int(KEYS);
  const keys = Array.from({ length: 1 + random.int(3) }, (_, i) => `${DISK_PREFIX}${(first + i) % KEYS}`);
  await Promise.all(keys.map((key) => write(store, key)));
  if (group % COMPACT_EVERY > 0) continue;
  const through = (await store.currentRevision(signal)) - COMPACT_EVERY;
  await store.compact(through, signal).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
  });
}
if (end === 'kill') process.kill(process.pid, 'SIGKILL');
await store.close();
say('closed 0 - -');
