import { after, before } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { describeStore } from '../conformance/index.ts';
import { type EtcdCluster, startEtcd } from '../testing/index.ts';
import { openEtcdStore } from './index.ts';
import { lossyClients } from './testing/lossy-clients.ts';

const env = { clock: systemClock, random: systemRandom, log: silentLogger };
let cluster: EtcdCluster;
let opened = 0;

before(async () => {
  cluster = await startEtcd({ members: 3 });
});
after(() => cluster[Symbol.asyncDispose]());

describeStore('etcd three members', async () => {
  const store = await openEtcdStore({ endpoints: cluster.endpoints, env });
  const over = new AbortController();
  return {
    store,
    signal: over.signal,
    prefix: `/conformance/${opened++}/`,
    lossyClients: (seed) => lossyClients(cluster, seed),
    async [Symbol.asyncDispose]() {
      over.abort();
      await store.close();
    },
  };
});
