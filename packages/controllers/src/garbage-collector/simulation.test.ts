import { describe, it } from 'node:test';
import { Simulation } from './testing/simulation.ts';

/** `GC_SEED=… scripts/node scripts/test.ts <this file>` runs one course of events again. */
const asked = process.env['GC_SEED'];
/** More with `SEEDS=…`; the whole control plane goes through a thousand in test/reliability. */
const SEEDS = Number(process.env['SEEDS'] ?? '250');
const BATCH = 100;

describe('garbage collector simulation', () => {
  const seeds = asked === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(asked)];
  for (let from = 0; from < seeds.length; from += BATCH) {
    const batch = seeds.slice(from, from + BATCH);
    it(`collects what has no owner and nothing else, seeds ${batch[0]}–${batch.at(-1)}`, async () => {
      for (const seed of batch) {
        try {
          await new Simulation(seed).run(250);
        } catch (cause) {
          throw new Error(`${(cause as Error).message}; again: GC_SEED=${seed}`, { cause });
        }
      }
    });
  }
});
