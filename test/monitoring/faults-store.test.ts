import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { temporaryFolder } from '@orch/testkit';
import { alertsEnd, followPage } from './faults/follow-page.ts';
import { MonitoredCluster, missingProgram } from './faults/monitored-cluster.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Timeout of requests without a store: failures are counted when they end. */
const SHORT = '300ms';
const WRITERS = 4;
const QUOTA_BYTES = 8 * 1024 * 1024;
const GROWING_BYTES = 50_000;
const FILLING_BYTES = 900_000;

describe('alerts about the store', {
  timeout: 170_000,
  skip: missingProgram('etcd', 'etcdctl', 'curl'),
}, () => {
  let cluster: MonitoredCluster;
  before(async () => {
    cluster = await MonitoredCluster.start({ etcd: [`--quota-backend-bytes=${QUOTA_BYTES}`] });
  });
  after(() => cluster[Symbol.asyncDispose]());

  let created = 0;
  const create = (text = '', timeout = '10s') =>
    cluster.client.post(`${configMaps}?timeout=${timeout}`, {
      metadata: {
        name: `map-${++created}`,
        labels: { made: 'for-the-test' },
      },
      data: { text },
    });

  it('OrchStoreGrows and OrchStoreFull fire when a client fills the store', async () => {
    let bytes = GROWING_BYTES;
    await followPage(cluster, 'OrchStoreGrows', {
      load: () => Promise.all(Array.from({ length: WRITERS }, () => create('x'.repeat(bytes)))),
      meanwhile: async () => {
        bytes = FILLING_BYTES;
        await followPage(cluster, 'OrchStoreFull', {
          variables: { SELECTOR: 'made=for-the-test' },
          // Writes of a client that goes on would fill the store again before its alarm is disarmed.
          meanwhile: () => {
            bytes = 0;
          },
        });
      },
    });
  });

  it('OrchObjectsUnreadable fires when a stored object cannot be read', () =>
    followPage(cluster, 'OrchObjectsUnreadable', {
      variables: { NAME: 'unreadable' },
      meanwhile: ({ labels }) => assert.equal(labels['resource'], 'configmaps'),
    }));

  it('OrchWatchCacheRebuilds fires when the history of the store was compacted while a server was suspended', async () => {
    await Promise.all([
      followPage(cluster, 'OrchWatchCacheRebuilds'),
      poll('etcd ends', 30_000, () => !cluster.etcd.running).then(() => cluster.etcd.start()),
    ]);
  });

  it('OrchWatchCacheDiffers fires when a snapshot of the store was restored while a server was suspended', async () => {
    using folder = temporaryFolder();
    const isRestored = () => !cluster.etcd.running && existsSync(cluster.etcd.dataDir);
    await Promise.all([
      followPage(cluster, 'OrchWatchCacheDiffers', {
        variables: { FOLDER: folder.path },
        meanwhile: ({ labels }) => assert.equal(labels['resource'], 'configmaps'),
      }),
      poll('the snapshot is restored', 30_000, () => existsSync(join(folder.path, 'restored'))).then(() =>
        poll(
          'etcd ends with the restored data',
          30_000,
          () => isRestored() && !existsSync(join(folder.path, 'restored')),
        ).then(() => cluster.etcd.start()),
      ),
    ]);
  });

  it('OrchErrorBudgetBurnFast fires while etcd is suspended', () =>
    followPage(cluster, 'OrchErrorBudgetBurnFast', {
      load: () => create('', SHORT),
      fix: async () => cluster.etcd.resume(),
    }));

  it('OrchStoreSlow fires while etcd is suspended repeatedly', () =>
    followPage(cluster, 'OrchStoreSlow', { load: () => create(), isRepeated: true }));

  it('OrchStoreErrors fires while etcd does not run', () =>
    followPage(cluster, 'OrchStoreErrors', {
      load: () => create('', SHORT),
      fix: () => cluster.etcd.restart(),
    }));

  it('the alerts end after the remedies', () => alertsEnd(cluster, 8));
});
