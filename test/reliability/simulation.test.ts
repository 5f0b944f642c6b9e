import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Outcome, Range } from './simulation/seeds-worker.ts';

/**
 * `SEED=17 scripts/node scripts/test.ts test/reliability/simulation.test.ts` replays one; `SEEDS=10000` tries more, as `make soak` does, and
 * `STEPS=50` makes each simulation longer.
 */
const only = process.env['SEED'];
const count = Number(process.env['SEEDS'] ?? '100');
const steps = Number(process.env['STEPS'] ?? '5');
const SEEDS_PER_TEST = 50;

describe('seeded simulation of a control plane with crashes, suspensions and partitions', () => {
  const worker = new Worker(new URL('./simulation/seeds-worker.ts', import.meta.url));
  after(() => worker.terminate());

  async function run(first: number, last: number): Promise<void> {
    const answered = once(worker, 'message');
    worker.postMessage({ first, last, steps } satisfies Range);
    const [{ failure }] = (await answered) as [Outcome];
    if (failure === undefined) return;
    const { seed, cause } = failure;
    const replay = `SEED=${seed} STEPS=${steps} scripts/node scripts/test.ts test/reliability/simulation.test.ts`;
    throw new Error(`seed ${seed} fails; to see it again: ${replay}`, { cause });
  }

  if (only !== undefined)
    it(`simulation with seed ${only} keeps one leader, loses nothing and converges`, () =>
      run(Number(only), Number(only)));
  for (let first = 1; only === undefined && first <= count; first += SEEDS_PER_TEST) {
    const last = Math.min(count, first + SEEDS_PER_TEST - 1);
    it(`simulations with seeds ${first} to ${last} keep one leader, lose nothing and converge`, () =>
      run(first, last));
  }
});
