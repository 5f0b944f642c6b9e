import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningApiServer, type Settings, settingsOf } from '@orch/apiserver';
import { type LoadedConfig, loadConfig } from '@orch/client';
import { systemEnv } from '@orch/machinery/env';
import { flagsOf, type PlaneFlags } from './flags-of.ts';
import type { MemoryStore } from './memory-store.ts';
import type { ControlPlaneOptions } from './options.ts';
import { type PlaneEnv, startServer } from './server.ts';

/** An API server over a store in memory, with its files and a configuration for its clients. */
export interface PlaneServer {
  readonly store: MemoryStore;
  readonly settings: Settings;
  readonly flags: PlaneFlags;
  readonly running: RunningApiServer;
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
    const server = await startServer(settings, store, env);
    undo.add(() => server.stop());
    const { running } = server;
    const { naming } = settings.names;
    const files = [running.adminConfig];
    const clientEnv = { ...systemEnv(), work: env.work };
    const config = await loadConfig({ files, naming, environment: {}, env: clientEnv });
    undo.add(() => config.transport.close());
    return { store, settings, flags, running, config, certificates, stop: () => undo.run() };
  } catch (error) {
    await undo.run();
    throw error;
  }
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
