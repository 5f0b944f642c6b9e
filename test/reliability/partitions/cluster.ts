import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Env, namesFor, type Random } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import type { Store } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { type EtcdCluster, freePorts, type PeerNetwork, startEtcd } from '@orch/storage/testing';
import { ApiClient } from '@orch/testkit';
import { type ClusterFiles, clusterFiles } from '../cluster/files.ts';
import { Link } from '../cluster/link.ts';
import { Supervised } from '../cluster/supervised.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const MEMBERS = 3;
const SERVERS = 3;

/** An API server, its connections to the members of etcd, and a client of it. */
export interface Replica {
  readonly program: Supervised;
  readonly links: readonly Link[];
  readonly client: ApiClient;
}

/** Three API servers on three members of a real etcd, with a network between all of them that can be broken. */
export interface PartitionCluster extends AsyncDisposable {
  readonly random: Random;
  readonly etcd: EtcdCluster;
  readonly network: PeerNetwork;
  readonly replicas: readonly Replica[];
  /** The content of the store, read without the servers and the faults. */
  readonly store: Store;
}

export async function startPartitionCluster(seed: number): Promise<PartitionCluster> {
  const random = seededRandom(seed);
  const env: Env = { clock: systemClock, random, log: silentLogger, metrics: createMetrics() };
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'orch-partitions-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const files = clusterFiles(folder, namesFor('orch'));
  const etcd = stack.use(await startEtcd({ members: MEMBERS, peerNetwork: true }));
  const { network } = etcd;
  if (network === undefined) throw new Error('there is no network between the members');
  const store = await openEtcdStore({ env, endpoints: etcd.endpoints });
  stack.defer(() => store.close());
  const replicas: Replica[] = [];
  for (const [index, port] of (await freePorts(SERVERS)).entries()) {
    const links: Link[] = [];
    for (const { clientPort } of etcd.members) links.push(stack.use(await Link.open([clientPort])));
    const program = stack.use(server(index, { port, links, files, random }));
    program.start();
    // The first one makes the certificates and keys that all share.
    await program.waitFor(/https:\/\/127\.0\.0\.1:\d+/, 60_000);
    const client = stack.use(new ApiClient(files.admin(), { server: `https://127.0.0.1:${port}` }));
    replicas.push({ program, links, client });
  }
  const owned = stack.move();
  return {
    random,
    etcd,
    network,
    replicas,
    store,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface ServerOptions {
  readonly port: number;
  readonly links: readonly Link[];
  readonly files: ClusterFiles;
  readonly random: Random;
}

function server(index: number, { port, links, files, random }: ServerOptions): Supervised {
  const argv = [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${files.certDir}`,
    `--admin-config=${files.adminConfig}`,
    '--storage-backend=etcd',
    `--etcd-servers=${links.map((link) => `http://127.0.0.1:${link.port(0)}`).join(',')}`,
    // threads.test.ts has servers with several.
    '--threads=1',
    // The test reads everything that was ever written at its end.
    '--etcd-compaction-interval=0',
    `--client-ca-file=${files.authorityCert}`,
    `--service-account-signing-key-file=${files.tokenKey}`,
    `--service-account-key-file=${files.tokenPublicKey}`,
  ];
  return new Supervised({
    name: `server-${index}`,
    path: join(root, 'bin', 'orch-apiserver'),
    argv: () => argv,
    restartMs: () => 100 + random.int(1000),
  });
}
