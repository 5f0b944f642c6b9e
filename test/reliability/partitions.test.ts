import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startPartitionCluster } from './partitions/cluster.ts';
import { kindsOfFaults } from './partitions/faults.ts';
import { live } from './partitions/scenario.ts';

/**
 * `RELIABILITY_SECONDS=600 scripts/node test/reliability/partitions.test.ts`, or `make soak`, runs for ten minutes.
 * `SEED=17` repeats the choices; the timing of processes differs, so the result of a run may differ.
 */
const seconds = Number(process.env['RELIABILITY_SECONDS'] ?? '20');
const seed = Number(process.env['SEED'] ?? Math.floor(Date.now() % 1_000_000));
const timeout = (seconds + 150) * 1000;

describe('three API servers on three etcd members, with partitions between members', { timeout }, () => {
  it('partitions lose and repeat no acknowledged write, cause no stale read, and lose and repeat no watch event', async (t) => {
    await using cluster = await startPartitionCluster(seed);
    try {
      const story = await live(cluster, seconds * 1000);
      t.diagnostic(`seed ${seed}: ${JSON.stringify({ ...story, faults: Object.fromEntries(story.faults) })}`);
      assert.ok(story.writes.acknowledged > 2 * seconds, `acknowledged: ${story.writes.acknowledged}`);
      const expected = Math.min(kindsOfFaults, Math.floor(seconds / 4));
      assert.ok(story.faults.size >= expected, `kinds of faults: ${story.faults.size}`);
    } catch (error) {
      const logs = cluster.replicas
        .map(({ program: { name, log } }) => `--- ${name}\n${log.slice(-6000)}`)
        .join('\n');
      throw new Error(`seed ${seed}\n${logs}`, { cause: error });
    }
  });
});
