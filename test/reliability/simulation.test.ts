import { describe, it } from 'node:test';
import { simulate } from './simulation/scenario.ts';

/**
 * `SEED=17 scripts/node scripts/test.ts test/reliability/simulation.test.ts` replays one; `SEEDS=10000` tries more, and
 * `STEPS=50` makes each a longer time of trouble.
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

describe('a control plane whose parts die, stop and lose each other: one leader, nothing lost, well again in 30 s', () => {
  if (only !== undefined) it(`seed ${only}`, () => run(Number(only)));
  for (let first = 1; only === undefined && first <= count; first += SEEDS_PER_TEST) {
    const last = Math.min(count, first + SEEDS_PER_TEST - 1);
    it(`seeds ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed++) await run(seed);
    });
  }
});
