import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { builtinResources, createInformer, type Informer } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { eventually } from '@orch/machinery/testing';
import { type EtcdCluster, freePorts, startEtcd, tempDir } from '@orch/storage/testing';
import { type LaunchedServer, type LaunchOptions, launchServer, launchServerProcess } from '@orch/testkit';
import { adminClient } from '../client/connection.ts';
import { orch } from './orch-command.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, value = name) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});

interface MapList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly data?: { readonly value: string };
  }[];
}

async function listed({ client }: Pick<LaunchedServer, 'client'>): Promise<MapList> {
  const { status, json } = await client.get(maps);
  assert.equal(status, 200);
  return json as MapList;
}

const contentOf = (items: MapList['items']): Readonly<Record<string, string>> =>
  Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, data?.value ?? '']).sort());

const contentOfInformer = ({ store }: Informer): Readonly<Record<string, string>> =>
  contentOf([...store.values()] as unknown as MapList['items']);

let etcd: EtcdCluster;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

describe('backup under load, disaster and restore', { timeout: 120_000 }, () => {
  const directions = [
    ['an embedded store', 'etcd', 'a'],
    ['etcd', 'an embedded store', 'b'],
  ] as const;
  for (const [from, to, id] of directions) {
    it(`a client that watches over a disaster of ${from} ends with the state of the backup, restored into ${to}`, async () => {
      await using work = await tempDir('orch-disaster-');
      const file = join(work.path, 'cluster.orchbak');
      const certDir = join(work.path, 'certs');
      const [port] = await freePorts(1);
      assert.ok(port !== undefined);
      const dataDir = join(work.path, 'data');
      const prefix = `--etcd-prefix=/registry-${id}`;
      const optionsOf = (store: typeof from | typeof to): LaunchOptions => ({
        ...(store === 'etcd' ? { etcd: etcd.endpoints } : { dataDir }),
        args: [prefix],
        certDir,
        port,
      });
      const flagsOf = (store: typeof from | typeof to) => [
        prefix,
        store === 'etcd' ? `--etcd-servers=${etcd.endpoints.join(',')}` : `--data-dir=${dataDir}`,
      ];
      await using server = await launchServerProcess(optionsOf(from));
      for (let i = 0; i < 50; i++)
        assert.equal((await server.client.post(maps, configMap(`m${i}`))).status, 201);
      await using connected = adminClient(server, 'orch');
      const stop = new AbortController();
      const informer = createInformer(
        { client: connected.client, env: systemEnv({ log: silentLogger }) },
        builtinResources(namesFor('orch')).core.v1.configmaps,
        { namespace: 'default' },
      );
      const informing = informer.run(stop.signal);
      await informer.synced(AbortSignal.timeout(30_000));

      let isOver = false;
      const writing = (async () => {
        for (let i = 0; !isOver; i++) await server.client.post(maps, configMap(`during-${i}`));
      })();
      const made = await orch([
        'backup',
        file,
        ...(from === 'etcd' ? flagsOf(from) : [`--client-config=${server.adminConfig}`]),
      ]);
      isOver = true;
      await writing;
      assert.deepEqual([made.code, made.stderr], [0, '']);
      const { revision: backupRevision } = JSON.parse(made.stdout) as { readonly revision: number };
      assert.equal(statSync(file).mode & 0o777, 0o600);

      // The state at the revision of the backup, from the history of the server.
      const exact = `${maps}?resourceVersion=${backupRevision}&resourceVersionMatch=Exact`;
      const expected = contentOf(((await server.client.get(exact)).json as MapList).items);
      assert.ok(Object.keys(expected).length >= 50);
      for (let i = 0; i < 10; i++) {
        await server.client.delete(`${maps}/m${i}`);
        await server.client.put(`${maps}/m${20 + i}`, configMap(`m${20 + i}`, 'changed after the backup'));
        await server.client.post(maps, configMap(`after-${i}`));
      }
      const last = await listed(server);
      await eventually(
        async () => contentOfInformer(informer),
        (content) => JSON.stringify(content) === JSON.stringify(contentOf(last.items)),
      );
      const seen = Number(last.metadata.resourceVersion);

      await server.process.stop('SIGKILL');
      if (from !== 'etcd') rmSync(dataDir, { recursive: true });
      const restored = await orch(['restore', file, ...flagsOf(to)]);
      assert.deepEqual([restored.code, restored.stderr], [0, '']);

      await using after = await launchServer(optionsOf(to));
      const found = await listed(after);
      assert.deepEqual(contentOf(found.items), expected);
      assert.ok(Number(found.metadata.resourceVersion) > seen, 'resourceVersions went back');
      await eventually(
        async () => contentOfInformer(informer),
        (content) => JSON.stringify(content) === JSON.stringify(expected),
      );
      assert.ok(Number(informer.resourceVersion) > seen);
      const stale = await after.client.get(`${maps}?watch=true&resourceVersion=${seen}&timeoutSeconds=1`);
      assert.match(stale.text, /"type":"ERROR".*"code":410/);
      const created = await after.client.post(maps, configMap('new'));
      assert.equal(created.status, 201);
      await eventually(
        async () => contentOfInformer(informer)['new'],
        (value) => value === 'new',
      );
      stop.abort();
      await informing;
    });
  }
});
