import { aborted, anySignal, durationMs, type Env, sleep, withDeadline } from '@orch/machinery';
import {
  type ApiServer,
  type BuildFacts,
  createServer,
  Health,
  healthRoutes,
  type Listener,
  listen,
  metricsRoute,
  processMetrics,
  type Registry,
  serveOps,
  type VersionInfo,
  versionInfo,
  versionRoutes,
} from '@orch/server';
import { runCompactor } from '@orch/storage';
import { apiSurface } from './api-surface.ts';
import { authenticatorOf, authorizerOf } from './authentication.ts';
import { Background } from './background.ts';
import { serverUrl, writeAdminConfig } from './certificates/admin-config.ts';
import { readCertificateBundle } from './certificates/bundle.ts';
import { type Certificates, isAnyAddress, prepareCertificates } from './certificates/serving.ts';
import { Cleanup } from './cleanup.ts';
import { messageOf, StartError } from './failure.ts';
import { type Lifecycle, lifecycleChecks } from './health.ts';
import { processReadings } from './process-readings.ts';
import type { Settings } from './settings.ts';
import { measuredStore } from './storage/measured-store.ts';
import { openStore } from './storage/open-store.ts';
import { watchStoreSize } from './storage/store-size.ts';

/** A server that answers requests and is ready. */
export interface RunningApiServer {
  readonly url: string;
  /** Path of the administrator's client configuration file. */
  readonly adminConfig: string;
  /** Where the ops port is, `host:port`; undefined without one. */
  readonly ops: string | undefined;
}

export interface ApiServerHost {
  readonly env: Env;
  /** Lines that the log of `env` has lost so far. */
  readonly droppedLogLines: () => number;
  readonly build: BuildFacts;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl?: URL;
  /** Called once, when `/readyz` answers 200. */
  readonly onReady: (running: RunningApiServer) => void;
}

/** Beyond the time that requests have, what a drain may take before connections are cut. */
const drainSlackMs = 5_000;

/**
 * Runs an API server until the signal aborts, then stops it cleanly: not ready, `--shutdown-delay-duration`, watches
 * and requests brought to their end, the store closed last. Rejects with a `StartError` when it cannot start.
 */
export async function runApiServer(
  settings: Settings,
  host: ApiServerHost,
  signal: AbortSignal,
): Promise<void> {
  const cleanup = new Cleanup(host.env.log);
  try {
    const started = await start(settings, host, cleanup, signal);
    host.onReady(started.running);
    using either = anySignal([signal, started.background.failed]);
    await aborted(either.signal);
    if (!signal.aborted) throw new StartError(`cannot go on: ${messageOf(started.background.failed.reason)}`);
    await stop(settings, host.env, started);
  } finally {
    await cleanup.run();
  }
}

interface Started {
  readonly running: RunningApiServer;
  readonly lifecycle: Lifecycle;
  readonly listener: Listener;
  readonly background: Background;
}

async function start(
  settings: Settings,
  host: ApiServerHost,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<Started> {
  const { env } = host;
  const { flags, names } = settings;
  const version = versionOf(settings, host.build);
  processMetrics(env.metrics, processReadings(), { clock: env.clock, names, version });
  const authenticator = authenticatorOf(flags, env, names);
  const [certificates, opened] = await Promise.all([
    prepareCertificates({ ...flags, names }, env, signal),
    openStore(settings, { env, workerUrl: host.workerUrl, signal }),
  ]);
  cleanup.add('closing the store', () => opened.close());
  const store = measuredStore(opened, settings.storePrefix, env);
  const background = new Background(env.log);
  cleanup.add('ending background work', () => background.stop());
  const { registry, cache } = apiSurface(settings, store, env);
  background.start('the watch cache', (stop) => cache.run(stop));

  const lifecycle = lifecycleChecks({
    store,
    isCacheReady: () => cache.isReady(),
    droppedLogLines: host.droppedLogLines,
  });
  const health = new Health({
    checks: lifecycle.checks,
    clock: env.clock,
    log: env.log,
    livezGraceMs: flags.livezGracePeriod,
  });
  const server = createServer({
    env,
    names,
    authenticator,
    authorizer: authorizerOf(flags),
    resources: registry.resources,
    servesResource: (info) => registry.servesResource(info),
    routes: [
      ...healthRoutes(health),
      metricsRoute(env.metrics),
      ...versionRoutes(version),
      ...registry.routes,
    ],
    apiPaths: () => registry.apiPaths(),
    requestTimeoutMs: flags.requestTimeout,
    maxRequestsInflight: flags.maxRequestsInflight,
    maxMutatingRequestsInflight: flags.maxMutatingRequestsInflight,
    parseDuration: durationMs,
  });
  cleanup.add('dropping timers', () => server.close());
  const listener = await openPort(settings, host, server, certificates);
  cleanup.add('closing connections', () => listener.drain(AbortSignal.abort()));
  const ops = await openOps(settings, env, health, cleanup);
  using either = anySignal([signal, background.failed]);
  await Promise.all([bootstrap(registry, either.signal), cache.ready(either.signal)]);
  lifecycle.bootstrapped.done();
  const endpoint = settings.storage === 'etcd' ? flags.etcdServers.join(',') : settings.storage;
  background.start('watching the size of the store', (stop) => watchStoreSize(store, endpoint, env, stop));
  background.start('compaction', (stop) =>
    runCompactor(store, {
      key: compactionKey(settings.storePrefix),
      intervalMs: flags.compactionInterval,
      env,
      signal: stop,
    }),
  );

  const url = serverUrl(isAnyAddress(listener.host) ? '127.0.0.1' : listener.host, listener.port);
  writeAdminConfig(settings.adminConfig, url, certificates, { names, random: env.random });
  return { running: { url, adminConfig: settings.adminConfig, ops }, lifecycle, listener, background };
}

async function bootstrap(registry: Registry, signal: AbortSignal): Promise<void> {
  try {
    await registry.bootstrap(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new StartError(`cannot create the objects that every cluster has: ${messageOf(error)}`);
  }
}

/** Beside the registry's keys and not among them, so that no cache follows it. */
const compactionKey = (storePrefix: string): string => `${storePrefix.slice(0, -1)}~compaction`;

const versionOf = ({ release }: Settings, build: BuildFacts): VersionInfo =>
  versionInfo({
    release,
    product: 'orch',
    build,
    runtime: process.version,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  });

async function openPort(
  { flags, bind }: Settings,
  { env }: ApiServerHost,
  server: ApiServer,
  certificates: Certificates,
): Promise<Listener> {
  const ownClients =
    flags.clientCaFile === '' ? [] : readCertificateBundle('client-ca-file', flags.clientCaFile);
  try {
    return await listen({
      env,
      server,
      ...bind,
      tls: {
        ...certificates.serving,
        clientCa: [certificates.clientCa, ...ownClients],
      },
      limits: { maxConcurrentStreams: flags.maxStreams },
    });
  } catch (error) {
    throw new StartError(`cannot serve on ${bind.host}:${bind.port}: ${messageOf(error)}`);
  }
}

async function openOps(
  { ops }: Settings,
  env: Env,
  health: Health,
  cleanup: Cleanup,
): Promise<string | undefined> {
  if (ops === undefined) return undefined;
  try {
    const server = await serveOps({ env, health, ...ops });
    cleanup.add('closing the ops port', () => server.close());
    return `${server.host}:${server.port}`;
  } catch (error) {
    throw new StartError(`cannot serve on --ops-bind-address ${ops.host}:${ops.port}: ${messageOf(error)}`);
  }
}

async function stop({ flags }: Settings, env: Env, { lifecycle, listener }: Started): Promise<void> {
  env.log.info('stopping', { shutdownDelayMs: flags.shutdownDelay });
  lifecycle.stopping();
  const never = new AbortController().signal;
  if (flags.shutdownDelay > 0) await sleep(env.clock, flags.shutdownDelay, never);
  using limit = withDeadline(never, env.clock, flags.requestTimeout + drainSlackMs);
  await listener.drain(limit.signal);
  env.log.info('stopped');
}
