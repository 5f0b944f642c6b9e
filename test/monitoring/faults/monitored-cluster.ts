import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { poll } from '@orch/machinery/testing';
import { type EtcdCluster, type EtcdMember, startEtcd } from '@orch/storage/testing';
import {
  type ApiClient,
  freePort,
  type LaunchOptions,
  launchServerProcess,
  PrometheusServer,
  prometheusProgram,
  type RunningProcess,
  run,
  type ServerProcess,
  start,
  temporaryFolder,
} from '@orch/testkit';
import { root } from '../series.ts';

const tools = join(root, '.tools');
const SCRAPED_MS = 30_000;
const prometheusPath = prometheusProgram('prometheus');

/** Why the faults cannot be caused on this machine; false when they can. */
export const missingProgram = (...needed: readonly string[]): string | false => {
  const found = (name: string): boolean =>
    path.split(delimiter).some((folder) => existsSync(join(folder, name)));
  const missing = ['prometheus', 'kubectl', ...needed].filter((name) => !found(name));
  return missing.length === 0 ? false : `not found: ${missing.join(', ')}`;
};
const path = [tools, process.env['PATH'] ?? ''].join(delimiter);

export interface ClusterOptions {
  /** Flags of etcd; the embedded store when absent. */
  readonly etcd?: readonly string[];
  readonly serverArgs?: readonly string[];
  /** Limit of the file descriptors of the server; the runtime reads it at the first scrape. */
  readonly fileDescriptors?: number;
  /** Flags of the controller manager; none runs when absent. */
  readonly managerArgs?: readonly string[];
}

interface Parts {
  readonly etcd: EtcdCluster | undefined;
  readonly certDir: string;
  readonly prometheus: PrometheusServer;
  readonly addresses: readonly [server: string, manager: string];
  readonly server: ServerProcess;
  readonly manager: RunningProcess | undefined;
  readonly startServer: (stack: AsyncDisposableStack) => Promise<ServerProcess>;
  readonly startManager: (stack: AsyncDisposableStack) => RunningProcess;
  readonly stack: AsyncDisposableStack;
}

/** A server, with its parts that faults concern, and a Prometheus that scrapes them. */
export class MonitoredCluster implements AsyncDisposable {
  readonly #parts: Parts;
  server: ServerProcess;
  manager: RunningProcess | undefined;
  /** Alerts of the pages that were followed. */
  readonly followed = new Set<string>();

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.server = parts.server;
    this.manager = parts.manager;
  }

  static async start(options: ClusterOptions): Promise<MonitoredCluster> {
    const { etcd: flags, serverArgs, managerArgs, fileDescriptors } = options;
    await using stack = new AsyncDisposableStack();
    const [port, opsPort, managerPort] = [await freePort(), await freePort(), await freePort()];
    const addresses = [`127.0.0.1:${opsPort}`, `127.0.0.1:${managerPort}`] as const;
    const targets = {
      'orch-apiserver': [addresses[0]],
      ...(managerArgs === undefined ? {} : { 'orch-controller-manager': [addresses[1]] }),
    };
    // Prometheus scrapes five seconds after its start at the earliest: it starts before its targets.
    const monitoring = PrometheusServer.start(prometheusPath ?? '', targets);
    stack.defer(async () => (await monitoring.catch(() => undefined))?.[Symbol.asyncDispose]());
    const etcd = flags === undefined ? undefined : stack.use(await startEtcd({ flags }));
    const certDir = stack.use(temporaryFolder()).path;
    const dataDir = stack.use(temporaryFolder()).path;
    const launch: LaunchOptions = {
      ...{ naming: 'kubernetes', port, certDir },
      ...(etcd === undefined ? { dataDir } : { etcd: etcd.endpoints }),
      args: ['--authorization-mode=RBAC', `--ops-bind-address=${addresses[0]}`, ...(serverArgs ?? [])],
    };
    const startServer = async (owner: AsyncDisposableStack) => owner.use(await launchServerProcess(launch));
    const server = await startServer(stack);
    if (fileDescriptors !== undefined)
      await run('prlimit', [`--pid=${server.process.child.pid}`, `--nofile=${fileDescriptors}`]);
    const startManager = (owner: AsyncDisposableStack) =>
      owner.use(
        start(join(root, 'bin/orch-controller-manager'), [
          ...['--naming=kubernetes', `--client-config=${server.adminConfig}`],
          ...[`--ops-bind-address=${addresses[1]}`, ...(managerArgs ?? [])],
        ]),
      );
    const manager = managerArgs === undefined ? undefined : startManager(stack);
    const prometheus = await monitoring;
    // A fault increases counters only if Prometheus has their values before it.
    await poll(
      'two scrapes of each target',
      SCRAPED_MS,
      async () =>
        Object.values(targets).flat().length === (await prometheus.query('sum_over_time(up[1m]) > 1')).length,
    );
    const parts = { etcd, certDir, prometheus, addresses, server, manager, startServer, startManager };
    return new MonitoredCluster({ ...parts, stack: stack.move() });
  }

  get prometheus(): PrometheusServer {
    return this.#parts.prometheus;
  }

  get client(): ApiClient {
    return this.server.client;
  }

  /** The only member of etcd. */
  get etcd(): EtcdMember {
    const [member] = this.#parts.etcd?.members ?? [];
    if (member === undefined) throw new Error('this cluster has no etcd');
    return member;
  }

  /** Variables of the commands of the runbook. */
  variables(): Readonly<Record<string, string>> {
    const { etcd, addresses, server, certDir } = this.#parts;
    return {
      PATH: path,
      // The credentials of the first start are valid after every other one.
      KUBECONFIG: server.adminConfig,
      CERTS: certDir,
      SERVER: server.url,
      OPS: `http://${addresses[0]}`,
      SERVER_PID: `${this.server.process.child.pid}`,
      ...(this.manager === undefined
        ? {}
        : { MANAGER_PID: `${this.manager.child.pid}`, MANAGER_OPS: `http://${addresses[1]}` }),
      ...(etcd === undefined
        ? {}
        : {
            ETCDCTL_ENDPOINTS: etcd.endpoints.join(','),
            ETCD_PID: `${this.etcd.pid}`,
            ETCD_DATA: this.etcd.dataDir,
          }),
    };
  }

  /** Ends the server, if it runs, and starts it again. */
  async restartServer(): Promise<void> {
    await this.server.process.stop('SIGKILL');
    this.server = await this.#parts.startServer(this.#parts.stack);
  }

  async restartManager(): Promise<void> {
    await this.manager?.stop('SIGKILL');
    this.manager = this.#parts.startManager(this.#parts.stack);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.stack.disposeAsync();
  }
}
