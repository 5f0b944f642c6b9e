import { describe, it } from 'node:test';
import { InformerSimulation } from './testing/simulation.ts';

/** `INFORMER_SEED=… scripts/node scripts/test.ts <this file>` runs one course of events again. */
const asked = process.env['INFORMER_SEED'];
/** More with `SEEDS=…`; the whole control plane goes through a thousand in test/reliability. */
const SEEDS = Number(process.env['SEEDS'] ?? '250');
const BATCH = 100;
const STEPS = 80;

describe('informers under faults', () => {
  const seeds = asked === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(asked)];
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
