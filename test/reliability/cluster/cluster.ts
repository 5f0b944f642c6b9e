import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Env, namesFor, type Random } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import type { Store } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { type EtcdCluster, freePorts, startEtcd } from '@orch/storage/testing';
import { type ClusterFiles, clusterFiles } from './files.ts';
import { Link } from './link.ts';
import { Supervised } from './supervised.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const SERVERS = 2;
const MANAGERS = 3;

/** Short, so that a process can be stopped for longer than it leads without taking all of the time. */
export const lease = { durationMs: 4000, renewMs: 3000, retryMs: 500 } as const;

export const names = namesFor('orch');

/** A manager and its connection to the servers. */
export interface ManagerProcess {
  readonly program: Supervised;
  readonly link: Link;
}

/** Real processes on loopback: etcd with three members, two API servers, three managers. */
export interface Cluster extends AsyncDisposable {
  readonly env: Env;
  readonly etcd: EtcdCluster;
  readonly files: ClusterFiles;
  readonly ports: readonly number[];
  readonly servers: readonly Supervised[];
  readonly managers: readonly ManagerProcess[];
  /** The content of the store, read without the servers. */
  readonly store: Store;
}

export async function startCluster(seed: number): Promise<Cluster> {
  const random = seededRandom(seed);
  const env: Env = { clock: systemClock, random, log: silentLogger, metrics: createMetrics() };
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'orch-reliability-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const files = clusterFiles(folder, names);
  const etcd = stack.use(await startEtcd({ members: 3 }));
  const store = await openEtcdStore({ env, endpoints: etcd.endpoints });
  stack.defer(() => store.close());
  const ports = await freePorts(SERVERS);
  const servers = ports.map((port, i) => stack.use(server(`server-${i}`, { port, files, etcd, random })));
  // The first one makes the certificates and keys that all share.
  for (const each of servers) {
    each.start();
    await each.waitFor(/https:\/\/127\.0\.0\.1:\d+/, 60_000);
  }
  const managers: ManagerProcess[] = [];
  for (let i = 0; i < MANAGERS; i++) {
    const link = stack.use(await Link.open(ports));
    const program = stack.use(manager(i, { link, files, random }));
    managers.push({ program, link });
    program.start();
  }
  const owned = stack.move();
  return {
    env,
    etcd,
    files,
    ports,
    servers,
    managers,
    store,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const restartMs = (random: Random) => (): number => 100 + random.int(2000);

function server(
  name: string,
  options: {
    readonly port: number;
    readonly files: ClusterFiles;
    readonly etcd: EtcdCluster;
    readonly random: Random;
  },
): Supervised {
  const { port, files, etcd, random } = options;
  const argv = [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${files.certDir}`,
    `--admin-config=${files.adminConfig}`,
    '--storage-backend=etcd',
    `--etcd-servers=${etcd.endpoints.join(',')}`,
    // threads.test.ts has servers with several.
    '--threads=1',
    // Every value that was ever written is read at the end.
    '--etcd-compaction-interval=0',
    `--client-ca-file=${files.authorityCert}`,
    `--service-account-signing-key-file=${files.tokenKey}`,
    `--service-account-key-file=${files.tokenPublicKey}`,
    `--audit-policy-file=${files.auditPolicy}`,
    `--audit-log-path=${join(files.auditDir, `${name}.log`)}`,
    // No write takes effect without at least its request in the log.
    '--audit-log-mode=blocking-strict',
  ];
  return new Supervised({
    name,
    path: join(root, 'bin', 'orch-apiserver'),
    argv: () => argv,
    restartMs: restartMs(random),
  });
}

function manager(
  index: number,
  { link, files, random }: { readonly link: Link; readonly files: ClusterFiles; readonly random: Random },
): Supervised {
  const name = `manager-${index}`;
  const argv = (): string[] => [
    `--client-config=${files.clientConfig(`${name}.conf`, link.port(random.int(SERVERS)))}`,
    `--leader-elect-lease-duration=${lease.durationMs}ms`,
    `--leader-elect-renew-deadline=${lease.renewMs}ms`,
    `--leader-elect-retry-period=${lease.retryMs}ms`,
    `--cluster-signing-cert-file=${files.authorityCert}`,
    `--cluster-signing-key-file=${files.authorityKey}`,
    `--root-ca-file=${files.authorityCert}`,
    `--service-account-private-key-file=${files.tokenKey}`,
    // Both ways of acting as another user are used concurrently.
    `--use-service-account-credentials=${index === 0}`,
  ];
  return new Supervised({
    name,
    path: join(root, 'bin', 'orch-controller-manager'),
    argv,
    restartMs: restartMs(random),
  });
}
