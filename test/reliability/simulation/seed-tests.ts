import { after, describe, it } from 'node:test';
import { SimulationThreads } from './simulation-threads.ts';

interface SeedTestsOptions {
  /** How many events a simulation has. */
  readonly steps?: number;
  /** How many simulations run at the same time. */
  readonly threads?: number;
}

const SEEDS_PER_TEST = 50;
/** Each of this many seeds runs a second time. */
const TWICE_EVERY = 20;

/** Declares the tests of the simulations with the seeds `first` to `last`; of one seed, that it runs twice in the same way. */
export function testSeeds(
  first: number,
  last: number,
  { steps = 5, threads: concurrency = 1 }: SeedTestsOptions = {},
): void {
  const threads = new SimulationThreads();
  after(() => threads.end());
  const twiceEvery = first === last ? 1 : TWICE_EVERY;
  async function run(seeds: { readonly first: number; readonly last: number }): Promise<void> {
    const { failure } = await threads.outcomeOf({ seeds, steps, twiceEvery });
    if (failure === undefined) return;
    const { seed, message, stack } = failure;
    const replay = `SEED=${seed} STEPS=${steps} scripts/node scripts/test.ts test/reliability/simulation.test.ts`;
    throw new Error(`seed ${seed} fails; to see it again: ${replay}\n${message}`, { cause: stack });
  }
  describe('seeded simulation of a control plane with crashes, suspensions and partitions', {
    concurrency,
  }, () => {
    if (first === last)
      it(`simulation with seed ${first} keeps all promises, twice with the same trace`, () =>
        run({ first, last }));
    for (let from = first; first !== last && from <= last; from += SEEDS_PER_TEST) {
      const to = Math.min(last, from + SEEDS_PER_TEST - 1);
      it(`simulations with seeds ${from} to ${to} keep one leader, lose nothing and converge`, () =>
        run({ first: from, last: to }));
    }
  });
}
