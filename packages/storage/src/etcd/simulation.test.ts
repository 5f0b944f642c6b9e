import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAULTS } from './testing/simulation/fault-injector.ts';
import { plantedClientDefects } from './testing/simulation/planted-client-defects.ts';
import { type SimulatedRun, simulateClient } from './testing/simulation/simulate-client.ts';

/** `SEED=17` runs this seed alone. `TIMES=20` runs 20 times as many seeds, as `make soak` does. */
const only = process.env['SEED'];
const SEEDS = 20 * Number(process.env['TIMES'] ?? 1);
const SEEDS_PER_TEST = 20;
/** A defect that none of these seeds finds is too hard to find. */
const MAX_SEEDS = 10;
const STORY_LINES = 40;

async function kept(seed: number): Promise<SimulatedRun> {
  const run = await simulateClient(seed);
  if (run.failure === undefined) return run;
  const story = run.trace.slice(-STORY_LINES).join('\n');
  throw new Error(`seed ${seed}: ${run.failure}\nThe end of its trace:\n${story}`, { cause: run.failure });
}

describe('the client of etcd over a simulated network', () => {
  if (only !== undefined)
    it(`the client of etcd keeps its promises with seed ${only}, twice with the same trace`, async () => {
      const { hash } = await kept(Number(only));
      assert.equal((await kept(Number(only))).hash, hash);
    });

  for (let first = 1; only === undefined && first <= SEEDS; first += SEEDS_PER_TEST) {
    const last = first + SEEDS_PER_TEST - 1;
    it(`the client of etcd keeps its promises with seeds ${first} to ${last}`, async (t) => {
      const runs: SimulatedRun[] = [];
      for (let seed = first; seed <= last; seed++) runs.push(await kept(seed));
      const sum = (name: keyof SimulatedRun['counts']) =>
        runs.reduce((total, { counts }) => total + counts[name], 0);
      const counts = `${sum('stored')} writes stored, ${sum('refused')} refused, ${sum('unknown')} unknown`;
      t.diagnostic(counts);
      assert.ok(sum('stored') > 0 && sum('refused') > 0 && sum('unknown') > 0, counts);
      const lines = runs.flatMap(({ trace }) => trace);
      const missing = [...FAULTS, 'compacted'].filter((what) => !lines.some((line) => line.includes(what)));
      assert.deepEqual(missing, [], 'all faults were injected');
      assert.equal(
        (await simulateClient(first)).hash,
        runs[0]?.hash,
        `seed ${first} has the same trace again`,
      );
      assert.equal(new Set(runs.map(({ hash }) => hash)).size, runs.length, 'other seeds have other traces');
    });
  }
});

describe('defects that are planted into the client of etcd', { skip: only !== undefined }, () => {
  for (const [defect, plant] of Object.entries(plantedClientDefects))
    it(`the simulated network finds a client that ${defect}`, async (t) => {
      const remove = plant();
      try {
        for (let seed = 1; seed <= MAX_SEEDS; seed++) {
          const { failure } = await simulateClient(seed);
          if (failure !== undefined) return t.diagnostic(`seed ${seed}: ${failure}`.split('\n')[0] ?? '');
        }
      } finally {
        remove();
      }
      assert.fail(`the seeds up to ${MAX_SEEDS} have kept all promises`);
    });
});
