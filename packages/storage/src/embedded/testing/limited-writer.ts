/**
 * A process with a file size limit: writes to the embedded store in the given directory beyond the limit, and prints
 * as JSON the result of every write and whether reads work.
 */
import { systemEnv } from '@orch/machinery/env';
import { StoreError } from '../../store.ts';
import { openEmbeddedStore } from '../open-embedded-store.ts';

const WRITES = 900;
const AT_ONCE = 8;
const VALUE = Buffer.alloc(8 * 1024, 'v');

const { signal } = new AbortController();
const store = await openEmbeddedStore({ dir: process.argv[2] ?? '', env: { ...systemEnv({}) } });
const outcomes: Record<string, string> = {};

async function write(i: number): Promise<void> {
  const key = `/limited/${i}`;
  try {
    const result = await store.commit({ op: 'create', key, value: VALUE }, signal);
    outcomes[key] = result.ok ? 'ok' : 'lost';
  } catch (error) {
    outcomes[key] = error instanceof StoreError ? error.code : String(error);
  }
}

for (let i = 0; i < WRITES; i += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => write(i + j)));
}
const { kv } = await store.get('/limited/0', signal);
await store.close();
console.log(JSON.stringify({ outcomes, readable: kv?.value?.equals(VALUE) ?? false }));
