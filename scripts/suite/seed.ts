/**
 * Loaded into every test process: property tests use the same seed in every run, so that results are reproducible.
 * `TEST_SEED=<number>` sets another one, `TEST_SEED=random` a new one for each property; failures print their seed.
 * `PROPERTY_RUNS=<number>` is the number of values for each property, 100 when absent, except where a property sets it.
 */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const given = process.env['TEST_SEED'] ?? '20261122';
const runs = process.env['PROPERTY_RUNS'];
const [, entry = ''] = process.argv;

/** Loading fast-check takes time, so it is only configured in files that use it. */
const usesProperties = (path: string): boolean =>
  path.endsWith('.test.ts') && /fast-check|\/testing/.test(readFileSync(path, 'utf8'));

/** To be called before `path` is loaded. */
export async function seedProperties(path: string): Promise<void> {
  if (!usesProperties(path)) return;
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({
    ...(given === 'random' ? {} : { seed: Number(given) }),
    ...(runs === undefined ? {} : { numRuns: Number(runs) }),
  });
}

// Threads are started with the options of their process; tests run in its main thread.
if (isMainThread) await seedProperties(entry);
