import { describe, it } from 'node:test';
import { soak } from './threads/scenario.ts';

/**
 * `make soak-threads MINUTES=20` runs rounds for that time; in `make test` it is one. `SEED` repeats the choices; the timing of
 * processes differs, so the result of a run may differ.
 */
const minutes = Number(process.env['THREAD_SOAK_MINUTES'] ?? '0');
const threads = Number(process.env['THREAD_SOAK_THREADS'] ?? '4');
const seed = Number(process.env['SEED'] ?? Math.floor(Date.now() % 1_000_000));
const ms = minutes * 60_000;

describe('a server with several threads under faults', { timeout: ms + 240_000 }, () => {
  it('every watch over any thread has each event once and in order, while etcd fails and definitions come and go', async (t) => {
    t.diagnostic(`seed ${seed}: ${JSON.stringify(await soak({ threads, seed, ms }))}`);
  });
});
