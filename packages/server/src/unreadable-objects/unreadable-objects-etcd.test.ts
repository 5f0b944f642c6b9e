import { testEnv } from '@orch/machinery/testing';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import { describeUnreadableObjects } from '../testing/unreadable-objects.ts';

describeUnreadableObjects('etcd', async () => {
  const cluster = await startEtcd();
  const store = await openEtcdStore({ endpoints: cluster.endpoints, env: testEnv() });
  return {
    options: { wrap: () => store },
    async [Symbol.asyncDispose]() {
      await store.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
});
