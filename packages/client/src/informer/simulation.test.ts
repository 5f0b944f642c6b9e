import { describe, it } from 'node:test';
import { InformerSimulation } from './testing/simulation.ts';

/** `INFORMER_SEED=… scripts/node scripts/test.ts <this file>` runs one course of events again. */
const seed = process.env['INFORMER_SEED'];
/** More with `SEEDS=…`; `test/reliability/simulation.test.ts` simulates the whole control plane. */
const SEEDS = Number(process.env['SEEDS'] ?? '120');
const BATCH = 100;
const STEPS = 80;

describe('informers under faults', () => {
  const seeds = seed === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(seed)];
  for (let from = 0; from < seeds.length; from += BATCH) {
    const batch = seeds.slice(from, from + BATCH);
    it(`an informer misses no change, repeats none and never ends (seeds ${batch[0]}–${batch.at(-1)})`, async () => {
      for (const seed of batch) {
        try {
          await new InformerSimulation(seed).run(STEPS);
        } catch (cause) {
          throw new Error(`${(cause as Error).message}; again: INFORMER_SEED=${seed}`, { cause });
        }
      }
    });
  }
});
