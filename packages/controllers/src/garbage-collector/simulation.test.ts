import { describe, it } from 'node:test';
import { GarbageCollectorSimulation } from './testing/simulation.ts';

/** `GC_SEED=… scripts/node scripts/test.ts <this file>` repeats one simulation. */
const requested = process.env['GC_SEED'];
/** `SEEDS=…` overrides the number of seeds. */
const SEEDS = Number(process.env['SEEDS'] ?? '120');
const BATCH = 100;

describe('the garbage collector under faults', () => {
  const seeds =
    requested === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(requested)];
  for (let from = 0; from < seeds.length; from += BATCH) {
    const batch = seeds.slice(from, from + BATCH);
    it(`exactly the objects without owners are deleted (seeds ${batch[0]}–${batch.at(-1)})`, async () => {
      for (const seed of batch) {
        try {
          await new GarbageCollectorSimulation(seed).run(250);
        } catch (cause) {
          throw new Error(`${(cause as Error).message}; again: GC_SEED=${seed}`, { cause });
        }
      }
    });
  }
});
