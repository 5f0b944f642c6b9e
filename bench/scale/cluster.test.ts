import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEtcd } from '@orch/storage/testing';
import { runCluster } from './cluster.ts';

const etcd = await findEtcd().catch(() => undefined);

describe('the load of a cluster', () => {
  it('no request of agents, scheduler and users fails, and pods are started', {
    skip: etcd === undefined && 'etcd is not installed',
  }, async () => {
    const load = {
      ...{ nodes: 4, podsPerNode: 2, podsPerSecond: 4, namespaces: 2 },
      ...{ references: 1, ownConnections: 2, controllers: false },
    };
    const { latencies, programs, rates } = await runCluster(
      { load, replicas: 1, threads: 1, overrides: false },
      { seconds: 2, warmUpSeconds: 1 },
    );
    assert.deepEqual(
      latencies.filter(({ failures }) => failures > 0),
      [],
    );
    const counted = new Set(latencies.filter(({ count }) => count > 0).map(({ request }) => request));
    for (const request of ['create pods', 'create pods/binding', 'patch pods/status', 'create events'])
      assert.ok(counted.has(request), request);
    assert.ok(rates.writes > 0);
    for (const { name, cores, bytes } of programs) assert.ok(cores > 0 && bytes > 0, name);
  });
});
