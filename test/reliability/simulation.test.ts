import { describe, it } from 'node:test';
import { simulate } from './simulation/scenario.ts';

/**
 * `SEED=17 scripts/node scripts/test.ts test/reliability/simulation.test.ts` replays one; `SEEDS=10000` tries more, and
 * `STEPS=50` makes each simulation longer.
 */
const only = process.env['SEED'];
const count = Number(process.env['SEEDS'] ?? '1000');
const steps = Number(process.env['STEPS'] ?? '5');
const SEEDS_PER_TEST = 100;

async function run(seed: number): Promise<void> {
  try {
    await simulate(seed, steps);
  } catch (cause) {
    const replay = `SEED=${seed} STEPS=${steps} scripts/node scripts/test.ts test/reliability/simulation.test.ts`;
    throw new Error(`seed ${seed} fails; to see it again: ${replay}`, { cause });
  }
}

describe('seeded simulation of a control plane with crashes, suspensions and partitions', () => {
  if (only !== undefined)
    it(`simulation with seed ${only} keeps one leader, loses nothing and converges`, () => run(Number(only)));
  for (let first = 1; only === undefined && first <= count; first += SEEDS_PER_TEST) {
    const last = Math.min(count, first + SEEDS_PER_TEST - 1);
    it(`simulations with seeds ${first} to ${last} keep one leader, lose nothing and converge`, async () => {
      for (let seed = first; seed <= last; seed++) await run(seed);
    });
  }
});
