import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningApiServer, type Settings, settingsOf } from '@orch/apiserver';
import { fixedCredentials, type LoadedConfig, loadConfig } from '@orch/client';
import type { Env } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
import { checkControllerFlags, localTransport } from '@orch/orch/parts';
import { flagsOf, type PlaneFlags } from './flags-of.ts';
import type { ForeignWrites } from './foreign-writes.ts';
import type { MemoryStore } from './memory-store.ts';
import type { ControlPlaneOptions } from './options.ts';
import { type PlaneEnv, startServer } from './server.ts';

/** An API server over a store in memory, with its files and a configuration for its clients. */
export interface PlaneServer {
  readonly store: MemoryStore;
  readonly settings: Settings;
  readonly flags: PlaneFlags;
  readonly running: RunningApiServer;
  readonly foreignWrites: ForeignWrites;
  readonly config: LoadedConfig;
  /** The folder of its certificates, which servers of the same objects share. */
  readonly certificates: string;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

export interface PlaneServerOptions {
  readonly options: ControlPlaneOptions;
  readonly store: MemoryStore;
  readonly env: PlaneEnv;
  /** The folder of existing certificates; the server makes its own without it. */
  readonly certificates?: string;
}

/** Starts an API server; resolves when it is ready. Rejects with a `UsageError` and a `StartError`. */
export async function startPlaneServer({
  options,
  store,
  env,
  certificates: shared,
}: PlaneServerOptions): Promise<PlaneServer> {
  const undo = new Undo();
  const folder = await mkdtemp(join(tmpdir(), 'orch-testing-'));
  undo.add(() => rm(folder, { recursive: true, force: true }));
  const certificates = shared ?? join(folder, 'certs');
  try {
    const flags = flagsOf(options, { folder, certificates });
    const settings = settingsOf(flags);
    // Before anything starts: the controllers report their failures only when they stop.
    checkControllerFlags(flags, settings);
    const server = await startServer(settings, { store, env, opensPort: options.port !== false });
    undo.add(() => server.stop());
    const { running, foreignWrites } = server;
    const config = await administratorOf(running, settings, {
      ...systemEnv(),
      clock: env.clock,
      work: env.work,
    });
    undo.add(() => config.transport.close());
    return {
      ...{ store, settings, flags, running, foreignWrites, config, certificates },
      stop: () => undo.run(),
    };
  } catch (error) {
    await undo.run();
    throw error;
  }
}

/** The configuration of the administrator, whose requests pass the port, or are calls within the process if there is none. */
async function administratorOf(
  { url, adminConfig, loopback, own }: RunningApiServer,
  { names }: Settings,
  env: Env,
): Promise<LoadedConfig> {
  if (url !== '') return loadConfig({ files: [adminConfig], naming: names.naming, environment: {}, env });
  if (loopback === undefined) throw new TypeError('the server has no loopback transport');
  const { masters, authenticated } = names.userGroups;
  const administrator = { name: 'system:admin', uid: '', groups: [masters, authenticated], extra: {} };
  const credentials = fixedCredentials({
    headers: { authorization: loopback.authorizationOf(administrator) },
  });
  return {
    names,
    env,
    transport: localTransport(loopback, credentials),
    userAgent: 'orch-testing',
    namespace: 'default',
    settings: {
      server: 'https://localhost',
      ca: own.servingCa,
      insecureSkipTlsVerify: false,
      disableCompression: true,
      credentials,
    },
  };
}

/** Steps that release resources, in the order in which these were acquired; they run in reverse, each once. */
export class Undo {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step();
  }
}
