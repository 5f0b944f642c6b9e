import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { seedsOfDefects } from './simulation/defects/seeds.ts';
import type { Outcome, Request } from './simulation/seeds-worker.ts';

/**
 * `SEED=17 scripts/node scripts/test.ts test/reliability/simulation.test.ts` replays one; `SEEDS=10000` tries more, as `make soak` does, and
 * `STEPS=50` makes each simulation longer. `FIND=1` searches for the seeds that find the planted defects.
 */
const only = process.env['SEED'];
const count = Number(process.env['SEEDS'] ?? '100');
const steps = Number(process.env['STEPS'] ?? '5');
const isSearch = process.env['FIND'] !== undefined;
const SEEDS_PER_TEST = 50;
/** Each of this many seeds runs a second time. */
const TWICE_EVERY = 20;
/** A defect that none of these seeds finds is too hard to find. */
const MAX_SEEDS = 2000;

/** A simulation allocates much that ends with it: few collections of young objects cost less. */
const YOUNG_GENERATION_MB = 96;

const worker = new Worker(new URL('./simulation/seeds-worker.ts', import.meta.url), {
  resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
});
after(() => worker.terminate());

async function outcomeOf(request: Request): Promise<Outcome> {
  const answered = once(worker, 'message');
  worker.postMessage(request);
  const [outcome] = (await answered) as [Outcome];
  return outcome;
}

async function run(first: number, last: number): Promise<void> {
  const twiceEvery = first === last ? 1 : TWICE_EVERY;
  const { failure } = await outcomeOf({ seeds: { first, last }, steps, twiceEvery });
  if (failure === undefined) return;
  const { seed, message, stack } = failure;
  const replay = `SEED=${seed} STEPS=${steps} scripts/node scripts/test.ts test/reliability/simulation.test.ts`;
  throw new Error(`seed ${seed} fails; to see it again: ${replay}\n${message}`, { cause: stack });
}

describe('seeded simulation of a control plane with crashes, suspensions and partitions', () => {
  if (only !== undefined)
    it(`simulation with seed ${only} keeps all promises, twice with the same trace`, () =>
      run(Number(only), Number(only)));
  for (let first = 1; only === undefined && !isSearch && first <= count; first += SEEDS_PER_TEST) {
    const last = Math.min(count, first + SEEDS_PER_TEST - 1);
    it(`simulations with seeds ${first} to ${last} keep one leader, lose nothing and converge`, () =>
      run(first, last));
  }
});

describe('defects that are planted into a simulated control plane', { skip: only !== undefined }, () => {
  for (const [defect, seed] of Object.entries(seedsOfDefects))
    it(`a simulation finds a planted defect: ${defect}`, async (t) => {
      const seeds = isSearch ? { first: 1, last: MAX_SEEDS } : { first: seed, last: seed };
      const { failure } = await outcomeOf({ seeds, steps: 5, defect });
      assert.notEqual(failure, undefined, `seed ${seeds.last}: all promises were kept`);
      if (isSearch) t.diagnostic(`'${defect}': ${failure?.seed},`);
    });
});
