import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Naming } from '@orch/machinery';
import { ApiClient, type ClientConfig, readClientConfig } from './api-client.ts';
import { type RunningProcess, start } from './process.ts';

const ownEnv = process.env;
const root = join(import.meta.dirname, '..', '..', '..');

export interface LaunchOptions {
  /** `orch` runs the controllers as well; the API server alone when absent. */
  readonly program?: 'orch-apiserver' | 'orch';
  /**
   * Whether pods need a service account: by default only with `orch`, because the API server alone has no controller that
   * creates one in every namespace.
   */
  readonly requiresAccounts?: boolean;
  readonly naming?: Naming;
  /** Client addresses of etcd; the embedded store when absent. */
  readonly etcd?: readonly string[];
  /** Shared by replicas, so that one admin configuration fits all; a new folder when absent. */
  readonly certDir?: string;
  readonly dataDir?: string;
  readonly args?: readonly string[];
  /** The address to listen on; the loopback one when absent. */
  readonly address?: string;
  /** A free one when absent. */
  readonly port?: number;
  /** Beside the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface LaunchedServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Path of the admin client configuration. */
  readonly adminConfig: string;
  readonly config: ClientConfig;
  readonly client: ApiClient;
  readonly process: RunningProcess;
}

/** `ORCH_TEST_THREADS` runs suites over servers with threads, where servers may have them. */
function threadArgs({ etcd, args = [] }: LaunchOptions): readonly string[] {
  const threads = ownEnv['ORCH_TEST_THREADS'] ?? '';
  const isRefused = etcd === undefined || args.some((arg) => arg.startsWith('--audit-log-path'));
  return threads === '' || isRefused ? [] : [`--threads=${threads}`];
}

/** Starts a built program with an API server on a free port and waits until it is ready. */
export async function launchServer(options: LaunchOptions = {}): Promise<LaunchedServer> {
  const work = mkdtempSync(join(tmpdir(), 'orch-test-'));
  const certDir = options.certDir ?? join(work, 'certs');
  mkdirSync(certDir, { recursive: true });
  const adminConfig = join(work, 'admin.conf');
  const { program: name = 'orch-apiserver', requiresAccounts = name === 'orch' } = options;
  const { address = '127.0.0.1' } = options;
  const program = join(root, 'bin', name);
  const argv = [
    ...(name === 'orch' ? ['up'] : []),
    `--naming=${options.naming ?? 'orch'}`,
    `--bind-address=${address}`,
    `--secure-port=${options.port ?? 0}`,
    `--cert-dir=${certDir}`,
    `--admin-config=${adminConfig}`,
    ...(options.etcd === undefined
      ? ['--storage-backend=embedded', `--data-dir=${options.dataDir ?? join(work, 'data')}`]
      : ['--storage-backend=etcd', `--etcd-servers=${options.etcd.join(',')}`]),
    ...(requiresAccounts ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...threadArgs(options),
    ...(options.args ?? []),
  ];
  const process = start(program, argv, { env: { ...ownEnv, ...options.env } });
  const [, port = ''] = await process.waitFor(/serving on https:\/\/[^ ]+:(\d+)\n/, 30_000);
  const config = { ...readClientConfig(adminConfig), server: `https://${address}:${port}` };
  const client = new ApiClient(config);
  return {
    url: config.server,
    port: Number(port),
    adminConfig,
    config,
    client,
    process,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await process[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    },
  };
}
