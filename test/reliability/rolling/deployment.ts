import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import {
  type ClientConfig,
  ComposeCluster,
  programPath,
  type RunningProcess,
  readClientConfig,
  temporaryFolder,
} from '@orch/testkit';
import { startNginx } from '../../deploy/nginx.ts';

/** This checkout. */
export const checkout = join(import.meta.dirname, '..', '..', '..');
export const replicas = ['replica-1', 'replica-2', 'replica-3'];
const programs = ['etcd', 'etcdctl', 'haproxy', 'wget', 'nginx'];
const NGINX_PORT = 6445;

/** Why the services cannot run as processes here. */
export function obstacle(): string | false {
  if (process.platform !== 'linux') return 'other systems than Linux have one loopback address';
  const missing = programs.filter((name) => programPath(name) === undefined);
  return missing.length > 0 && `not found: ${missing.join(', ')}`;
}

export type BalancerName = 'haproxy' | 'nginx';

export interface DeploymentOptions {
  /** Flags of replicas that replace those of docker-compose.yml. */
  readonly flags: readonly string[];
  /** The checkout whose programs run first; this one when absent. */
  readonly checkout?: string;
  /** Replaces the configuration of haproxy. */
  readonly haproxy?: (text: string) => string;
}

/** etcd and three replicas of docker-compose.yml behind both balancers. */
export class Deployment implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly #cluster: ComposeCluster;
  #nginx: RunningProcess | undefined;

  constructor({ flags, checkout, haproxy = (text) => text }: DeploymentOptions) {
    const replaced = flags.map((flag) => flag.slice(0, flag.indexOf('=') + 1));
    this.#cluster = new ComposeCluster({
      folder: this.#folder.path,
      // Tests that run at the same time have other addresses.
      network: `127.${randomInt(21, 250)}.${randomInt(1, 250)}`,
      only: ['init', 'etcd', ...replicas, 'balancer'],
      edit: (path, text) => (path.endsWith('haproxy.cfg') ? haproxy(text) : text),
      command: (service, words) =>
        replicas.includes(service)
          ? [...words.filter((word) => !replaced.some((flag) => word.startsWith(flag))), ...flags]
          : words,
      ...(checkout === undefined ? {} : { checkout }),
      report: () => undefined,
    });
  }

  async start(): Promise<void> {
    await this.#cluster.startAll(AbortSignal.timeout(60_000));
    const folder = join(this.#folder.path, 'nginx');
    this.#nginx = await startNginx({ cluster: this.#cluster, folder, port: NGINX_PORT });
  }

  /** The administrator's access through a balancer. */
  access(balancer: BalancerName): ClientConfig {
    const config = readClientConfig(join(this.#folder.path, 'volumes/orch/pki/admin.conf'));
    const server = balancer === 'nginx' ? config.server.replace(':6443', `:${NGINX_PORT}`) : config.server;
    return { ...config, server };
  }

  /** Stops a replica as supervisors do it, and starts it again with the built programs of a checkout. */
  async restart(replica: string, from: string): Promise<number> {
    const { code, signal } = await this.#cluster.process(replica).stop('SIGTERM');
    if (code !== 0) throw new Error(`${replica} ended with ${code ?? signal}: ${this.output(replica)}`);
    const startedAt = performance.now();
    this.#cluster.start(replica, from);
    await this.#cluster.healthy(replica, AbortSignal.timeout(60_000));
    return performance.now() - startedAt;
  }

  /** The output of a replica since its last start. */
  output(replica: string): string {
    return this.#cluster.process(replica).output();
  }

  /** Number of open watches of config maps at each replica. */
  watches(): Promise<readonly number[]> {
    return Promise.all(
      replicas.map(async (replica) => {
        const { exitCode, signalCode } = this.#cluster.process(replica).child;
        if (exitCode !== null || signalCode !== null)
          throw new Error(`${replica} ended with ${exitCode ?? signalCode}: ${this.output(replica)}`);
        const answer = await fetch(`http://${this.#cluster.placement.address(replica)}:8080/metrics`);
        return openWatches(await answer.text());
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#nginx?.stop();
    await this.#cluster[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

function openWatches(metrics: string): number {
  const lines = metrics
    .split('\n')
    .filter((line) => line.startsWith('apiserver_longrunning_requests{') && line.includes('"configmaps"'));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
