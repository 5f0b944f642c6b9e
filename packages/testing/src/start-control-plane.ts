import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, loadConfig } from '@orch/client';
import type { ControlPlane, ControlPlaneOptions } from './options.ts';

/** The server is loaded when the first control plane starts: an import of this package is fast. */
const serverModules = async () => {
  const [flags, server, store, { settingsOf }] = await Promise.all([
    import('./flags-of.ts'),
    import('./server.ts'),
    import('./memory-store.ts'),
    import('@orch/apiserver'),
  ]);
  return { ...flags, ...server, ...store, settingsOf };
};

const waiting = new AbortController().signal;

/**
 * Starts a control plane in this process: an API server with its objects in memory, on a free port of this machine, and the
 * controllers of namespaces, garbage collection, service accounts, quotas and all others, so that deletions work as in a cluster.
 * Resolves when it is ready and the objects of the options exist. Rejects with a `UsageError` for options that are not valid.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { flagsOf, settingsOf, MemoryStore, planeEnv, startServer, startControllers } = await serverModules();
  const folder = await mkdtemp(join(tmpdir(), 'orch-testing-'));
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const flags = flagsOf(options, folder);
    const settings = settingsOf(flags);
    const env = planeEnv();
    const store = new MemoryStore(env.clock);
    const server = await startServer(settings, store, env);
    undo.push(() => server.stop());
    const { url, adminConfig } = server.running;
    const runsControllers = options.controllers !== false;
    const controllers = () => startControllers({ settings, flags, env }, server.running);
    let running = runsControllers ? controllers() : undefined;
    undo.push(async () => running?.stop());
    const config = await loadConfig({ files: [adminConfig], naming: settings.names.naming, environment: {} });
    undo.push(() => config.transport.close());
    const client = createClient(config);
    const { serveDefinitions, createAll } = await import('./seed.ts');
    await serveDefinitions({ client, env: config.env }, options.crds ?? [], waiting);
    await createAll(client, options.seed ?? [], waiting);
    const start = await store.snapshot(waiting);
    return {
      config,
      url,
      configFile: adminConfig,
      async reset() {
        // A controller may remember objects that it has seen deleted.
        await running?.stop();
        await store.restore(start, waiting);
        running = runsControllers ? controllers() : undefined;
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
