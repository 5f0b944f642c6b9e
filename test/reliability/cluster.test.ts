import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCluster } from './cluster/cluster.ts';
import { faults } from './cluster/faults.ts';
import { HEAL_MS, live } from './cluster/scenario.ts';

/**
 * `RELIABILITY_SECONDS=600 scripts/node test/reliability/cluster.test.ts`, or `make soak`, runs for ten minutes.
 * `SEED=17` repeats the choices; the timing of processes differs, so the result of a run may differ.
 */
const seconds = Number(process.env['RELIABILITY_SECONDS'] ?? '20');
const seed = Number(process.env['SEED'] ?? Math.floor(Date.now() % 1_000_000));
const timeout = (seconds + 180) * 1000;

describe('cluster of three managers and two API servers on three etcd members', { timeout }, () => {
  it('a cluster with faults never has two leaders, deletes no owned object, and converges within 30 s after the last fault', async (t) => {
    await using cluster = await startCluster(seed);
    try {
      const story = await live(cluster, seconds * 1000);
      t.diagnostic(`seed ${seed}: ${JSON.stringify({ ...story, faults: Object.fromEntries(story.faults) })}`);
      assert.ok(story.convergedMs <= HEAL_MS, `took ${story.convergedMs} ms after the last fault`);
      const expected = Math.min(Object.keys(faults).length, Math.floor(seconds / 4));
      assert.ok(story.faults.size >= expected, `kinds of faults: ${story.faults.size}`);
      assert.ok(story.leaderships >= 2, `leaderships: ${story.leaderships}`);
    } catch (error) {
      const logs = [...cluster.servers, ...cluster.managers.map(({ program }) => program)]
        .map(({ name, log }) => `--- ${name}\n${log.slice(-8000)}`)
        .join('\n');
      throw new Error(`seed ${seed}\n${logs}`, { cause: error });
    }
  });
});
