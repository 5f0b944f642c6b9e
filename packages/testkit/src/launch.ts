import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Naming } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { fastestParent } from '@orch/storage/testing';
import { ApiClient, type ClientConfig, readClientConfig } from './api-client.ts';
import { type RunningProcess, start } from './process.ts';
import { hasServerHost, type StartOrder, startHosted } from './server-hosts/index.ts';

/** Most tests are about promises of every release. The release of the specification shows them. */
const DEFAULT_RELEASE = '1.24';

const ownEnv = process.env;
/** Time that a program has to start, also on a machine that many test processes share. */
const START_MS = 120_000;
const root = join(import.meta.dirname, '..', '..', '..');

export interface LaunchOptions {
  /** `orch` runs the controllers as well; the API server alone when absent. */
  readonly program?: StartOrder['program'];
  /**
   * Whether pods need a service account: by default only with `orch`, because the API server alone has no controller that
   * creates one in every namespace.
   */
  readonly requiresAccounts?: boolean;
  readonly naming?: Naming;
  /** The emulated release, or `latest`; 1.24 when absent, under both namings, unless `args` have it. */
  readonly release?: string;
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
  /** Number of serving threads, unless `ORCH_TEST_THREADS` has another one; one when absent. */
  readonly threads?: number;
  /** Beside the environment of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running server and a client with all permissions. */
export interface LaunchedServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Path of the admin client configuration. */
  readonly adminConfig: string;
  readonly config: ClientConfig;
  readonly client: ApiClient;
  /** Its addresses and its log so far; those of a process are bounded to the last 256 KiB. */
  output(): string;
  /** Resolves with the match when the output matches; rejects when it does not before the deadline. */
  waitFor(pattern: RegExp, deadlineMs: number): Promise<RegExpExecArray>;
  /** Stops the server as an operator does, and waits until it has ended. */
  stop(): Promise<void>;
}

export interface ServerProcess extends LaunchedServer {
  readonly process: RunningProcess;
}

/** `ORCH_TEST_THREADS` runs suites over servers with threads, where servers may have them. */
function threadsOf({ etcd, args = [], threads: own = 1 }: LaunchOptions): number {
  const isRefused = etcd === undefined && args.some((arg) => arg.startsWith('--migration-target-file'));
  return isRefused ? 1 : Number(ownEnv['ORCH_TEST_THREADS'] ?? own);
}

/**
 * Starts an API server on a free port and waits until it is ready. In a run of the suite it shares a process with other servers,
 * unless it has another environment than the test.
 */
export async function launchServer(options: LaunchOptions = {}): Promise<LaunchedServer> {
  const hasThreads = threadsOf(options) > 1;
  if (!hasServerHost() || hasThreads || options.env !== undefined) return await launchServerProcess(options);
  const command = commandOf(options);
  const hosted = await startHosted(command).catch((error: unknown) => {
    rmSync(command.work, { recursive: true, force: true });
    throw error;
  });
  const output = (): string => readFileSync(command.output, 'utf8');
  const waitFor = (pattern: RegExp, deadlineMs: number): Promise<RegExpExecArray> =>
    poll(`${pattern} in the output`, deadlineMs, () => pattern.exec(output()) ?? undefined);
  return serverOf(options, { ...command, url: hosted.url, running: { ...hosted, output, waitFor } });
}

/** Starts a built program with an API server on a free port and waits until it is ready. */
export async function launchServerProcess(options: LaunchOptions = {}): Promise<ServerProcess> {
  const command = commandOf(options);
  const path = join(root, 'bin', command.program);
  const argv = [...(command.program === 'orch' ? ['up'] : []), ...command.argv];
  const process = start(path, argv, { env: { ...ownEnv, ...options.env } });
  const [, url = ''] = await process.waitFor(/serving on (https:\/\/[^ ]+:\d+)\n/, START_MS);
  return {
    ...serverOf(options, { ...command, url, running: { ...process, stop: () => stopped(process) } }),
    process,
  };
}

async function stopped(process: RunningProcess): Promise<void> {
  const { code } = await process.stop('SIGTERM');
  if (code !== 0) throw new Error(`the server ended with ${code}: ${process.output()}`);
}

/** A command line with the folder of its files. */
interface Command extends Omit<StartOrder, 'server'> {
  readonly work: string;
  readonly adminConfig: string;
}

function commandOf(options: LaunchOptions): Command {
  const work = mkdtempSync(join(fastestParent(), 'orch-test-'));
  const certDir = options.certDir ?? join(work, 'certs');
  mkdirSync(certDir, { recursive: true });
  const adminConfig = join(work, 'admin.conf');
  const { program = 'orch-apiserver', requiresAccounts = program === 'orch' } = options;
  const { address = '127.0.0.1' } = options;
  const argv = [
    `--naming=${options.naming ?? 'orch'}`,
    `--emulated-version=${options.release ?? DEFAULT_RELEASE}`,
    `--bind-address=${address}`,
    `--secure-port=${options.port ?? 0}`,
    `--cert-dir=${certDir}`,
    `--admin-config=${adminConfig}`,
    ...(options.etcd === undefined
      ? ['--storage-backend=embedded', `--data-dir=${options.dataDir ?? join(work, 'data')}`]
      : ['--storage-backend=etcd', `--etcd-servers=${options.etcd.join(',')}`]),
    ...(requiresAccounts ? [] : ['--disable-admission-plugins=ServiceAccount']),
    `--threads=${threadsOf(options)}`,
    ...(options.args ?? []),
  ];
  return { program, argv, work, adminConfig, output: join(work, 'output.log') };
}

interface RunningCommand extends Command {
  readonly url: string;
  readonly running: Pick<LaunchedServer, 'output' | 'waitFor' | 'stop' | typeof Symbol.asyncDispose>;
}

function serverOf(
  { address = '127.0.0.1' }: LaunchOptions,
  { url, running, work, adminConfig }: RunningCommand,
): LaunchedServer {
  const { port } = new URL(url);
  const config = { ...readClientConfig(adminConfig), server: `https://${address}:${port}` };
  const client = new ApiClient(config);
  return {
    url: config.server,
    port: Number(port),
    adminConfig,
    config,
    client,
    output: running.output,
    waitFor: running.waitFor,
    stop: () => running.stop(),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await running[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    },
  };
}
