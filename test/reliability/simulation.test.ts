import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { after, describe, it } from 'node:test';
import { seedsOfDefects } from './simulation/defects/seeds.ts';
import { testSeeds } from './simulation/seed-tests.ts';
import { SimulationThreads } from './simulation/simulation-threads.ts';

/**
 * `SEED=17 scripts/node scripts/test.ts test/reliability/simulation.test.ts` replays one; `SEEDS=10000` tries so many, as `make soak`
 * does, and `STEPS=50` makes each simulation longer. `FIND=1` searches for the seeds that find the planted defects. Without a choice of
 * seeds, the tests of `simulation/seeds` run those up to `MAX_SEEDS`.
 */
const only = process.env['SEED'];
const count = process.env['SEEDS'];
const steps = Number(process.env['STEPS'] ?? '5');
const isSearch = process.env['FIND'] !== undefined;
/** A defect that none of these seeds finds is too hard to find. */
const MAX_SEEDS = 2000;

if (only !== undefined) testSeeds(Number(only), Number(only), { steps });
else if (count !== undefined && !isSearch)
  testSeeds(1, Number(count), { steps, threads: availableParallelism() });

describe('defects that are planted into a simulated control plane', { skip: only !== undefined }, () => {
  const threads = new SimulationThreads();
  after(() => threads.end());
  for (const [defect, seed] of Object.entries(seedsOfDefects))
    it(`a simulation finds a planted defect: ${defect}`, async (t) => {
      const seeds = isSearch ? { first: 1, last: MAX_SEEDS } : { first: seed, last: seed };
      const { failure } = await threads.outcomeOf({ seeds, steps: 5, defect });
      assert.notEqual(failure, undefined, `seed ${seeds.last}: all promises were kept`);
      if (isSearch) t.diagnostic(`'${defect}': ${failure?.seed},`);
    });
});
