import { describe, it } from 'node:test';
import { ElectionSimulation } from './testing/election-simulation.ts';

/** `ELECTION_SEED=… scripts/node scripts/test.ts <this file>` replays one simulation. */
const seed = process.env['ELECTION_SEED'];
/** More with `SEEDS=…`; `test/reliability/simulation.test.ts` simulates the whole control plane. */
const SEEDS = Number(process.env['SEEDS'] ?? '120');
const BATCH = 100;
const STEPS = 18;

describe('leader election under faults', () => {
  const seeds = seed === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(seed)];
  for (let from = 0; from < seeds.length; from += BATCH) {
    const batch = seeds.slice(from, from + BATCH);
    it(`there are never two leaders, and there is one soon after the last fault (seeds ${batch[0]}–${batch.at(-1)})`, async () => {
      for (const seed of batch) {
        try {
          await new ElectionSimulation(seed).run(STEPS);
        } catch (cause) {
          throw new Error(`${(cause as Error).message}; again: ELECTION_SEED=${seed}`, { cause });
        }
      }
    });
  }
});
