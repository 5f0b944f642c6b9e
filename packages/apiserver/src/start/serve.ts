import { type Listener, listen, type PortSharing } from '@orch/http';
import { messageOf } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';
import { type BackgroundTask, onlyLocal, runAll, StartError, serveOps } from '@orch/program';
import { ServedCertificates, servingTls } from '../certificates/reload.ts';
import { ticketSecret } from '../certificates/ticket-secret.ts';
import type { Assembled } from './assemble.ts';
import { browserAccess } from './browser-access.ts';
import type { Opened } from './open.ts';
import type { StartContext } from './start-context.ts';
import { writeOrLater } from './write-or-later.ts';

const HTTPS_PORT = 443;

/** The open ports. */
export interface Served {
  readonly listener: Listener;
  readonly certificates: ServedCertificates;
  /** Address of the ops port, `host:port`; undefined when it is disabled. */
  readonly ops: string | undefined;
}

/**
 * Third phase: starts the watch cache, publishes token keys, opens the ports and creates the objects that every cluster
 * has. The port opens before the cache is filled: requests wait for the cache, and `/readyz` reports its state.
 */
export async function serve(context: StartContext, opened: Opened, assembled: Assembled): Promise<Served> {
  const { host, cleanup, signal } = context;
  const { background, loopback, certificates, trust } = opened;
  const { cache, server, tokens, lifecycle, registry } = assembled;
  const run = (...tasks: readonly BackgroundTask[]): void => {
    for (const [name, work] of tasks) background.start(name, work);
  };
  await joinReplicas(context, opened, assembled);
  // Before the watch cache runs: the objects of all definitions are part of its first load.
  await registry.definitions.prime(signal);
  run(...assembled.tasks, ...opened.tasks);
  cleanup.add('close the request pipeline', () => server.close());
  lifecycle.done('generic-apiserver-start-informers', 'priority-and-fairness-filter');
  cleanup.add('end loopback requests', () => loopback?.close());
  // Before the port opens: other replicas must be able to verify the first token.
  await tokens.start(signal);
  run(['token key subscription', (stop) => tokens.run(stop)]);
  const listener = await openPort(context, opened, assembled);
  cleanup.add('close connections', () => listener.drain(AbortSignal.abort()));
  const { flags, serving: settings } = context.settings;
  const served = new ServedCertificates({
    ...{ flags, settings, certificates, trust, listener, env: host.env },
    ticketsOfProcess: ticketsOf(context),
  });
  run(['certificate reload', (stop) => served.run(stop)]);
  const ops = await openOps(context, assembled);
  using either = anySignal([signal, background.failed]);
  await runAll(
    [(stop) => bootstrap(context, { opened, assembled }, stop), (stop) => cache.ready(stop)],
    either.signal,
  );
  lifecycle.done('priority-and-fairness-config-consumer');
  return { listener, certificates: served, ops };
}

/** Before anything is written to the store: a replica that cannot work with the others leaves no trace. */
async function joinReplicas(
  { host: { furtherThread }, cleanup, signal }: StartContext,
  { background }: Opened,
  { agreement }: Assembled,
): Promise<void> {
  // The first thread has joined for the process.
  if (furtherThread !== undefined) return;
  cleanup.add('leave the other replicas', () => agreement.leave());
  try {
    await agreement.join(signal);
  } catch (error) {
    if (signal.aborted || error instanceof StartError) throw error;
    throw new StartError(`cannot compare the settings of replicas: ${messageOf(error)}`);
  }
  background.start('comparison of replicas', (stop) => agreement.run(stop));
}

/** In place of a port that is not opened. The default service names the number of the port. */
const noListener = ({ port }: StartContext['settings']['bind']): Listener => ({
  host: '',
  port: port === 0 ? HTTPS_PORT : port,
  replaceTls: () => undefined,
  drain: async () => undefined,
});

/** The secret of session tickets that the threads of this process share. */
const ticketsOf = ({ host, threads }: StartContext): SharedArrayBuffer =>
  (host.furtherThread ?? threads).memory.ticketSecret;

async function openPort(context: StartContext, opened: Opened, { server }: Assembled): Promise<Listener> {
  const {
    settings: { flags, bind, features, serving },
    host: { env, furtherThread, opensPort },
  } = context;
  const { certificates, trust } = opened;
  if (opensPort === false) return noListener(bind);
  try {
    return await listen({
      env,
      server: browserAccess(await consoleOf(context, opened, server), serving),
      ...bind,
      ...(furtherThread === undefined ? {} : { port: furtherThread.port }),
      tls: servingTls({
        serving: certificates.serving,
        ...{ trust, settings: serving, ticketSecret: ticketSecret(flags, ticketsOf(context)) },
      }),
      limits: { maxConcurrentStreams: flags.maxStreams, goawayChance: flags.goawayChance },
      compresses: features.responseCompression,
      sharesPort: furtherThread === undefined ? portSharing(flags) : 'any',
      proxies: serving.proxies,
    });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot serve on ${bind.host}:${bind.port}: ${messageOf(error)}`);
  }
}

/** The server, with the console where a flag asks for it; its code is loaded only then. */
async function consoleOf(
  { settings, host: { env } }: StartContext,
  { configured }: Opened,
  server: Assembled['server'],
): Promise<Pick<Assembled['server'], 'handle'>> {
  if (!settings.flags.console) return server;
  const { openConsole, withConsole } = await import('../console/index.ts');
  return withConsole(server, openConsole({ settings, env, configured: configured?.loginClient }));
}

const portSharing = ({
  permitPortSharing,
  threads,
}: StartContext['settings']['flags']): PortSharing | undefined =>
  permitPortSharing ? 'any' : threads > 1 ? 'later' : undefined;

async function openOps(
  { settings: { ops }, host: { env, furtherThread }, cleanup }: StartContext,
  { health, debug: endpoints }: Assembled,
): Promise<string | undefined> {
  if (ops === undefined || furtherThread !== undefined) return undefined;
  try {
    const debug = { endpoints, refusal: onlyLocal('the API port serves the same paths with authorization') };
    const server = await serveOps({ env, health, debug, ...ops });
    cleanup.add('close the ops port', () => server.close());
    return `${server.host}:${server.port}`;
  } catch (error) {
    throw new StartError(`cannot serve on --ops-bind-address ${ops.host}:${ops.port}: ${messageOf(error)}`);
  }
}

/** Readiness waits for the objects, also when a store that takes no writes lets the server start without them. */
async function bootstrap(
  { host: { env, furtherThread } }: StartContext,
  { opened: { background }, assembled: { registry, lifecycle } }: BootstrapParts,
  signal: AbortSignal,
): Promise<void> {
  const what = 'create the objects that every cluster has';
  const done = (): void =>
    lifecycle.done(
      'rbac/bootstrap-roles',
      'scheduling/bootstrap-system-priority-classes',
      'priority-and-fairness-config-producer',
    );
  if (furtherThread !== undefined) return done();
  try {
    const write = (stop: AbortSignal): Promise<void> => registry.bootstrap(stop);
    await writeOrLater({ what, write, done }, { env, background }, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new StartError(`cannot ${what}: ${messageOf(error)}`);
  }
}

interface BootstrapParts {
  readonly opened: Pick<Opened, 'background'>;
  readonly assembled: Pick<Assembled, 'registry' | 'lifecycle'>;
}
