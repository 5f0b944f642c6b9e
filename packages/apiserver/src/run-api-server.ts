import { type Authenticator, meantForServer, unionAuthenticator } from '@orch/auth';
import { type Listener, listen, type ServingTls } from '@orch/http';
import {
  aborted,
  anySignal,
  durationMs,
  type Env,
  messageOf,
  type Names,
  sleep,
  withDeadline,
} from '@orch/machinery';
import { type ApiServer, createServer, metricsRoute, openTracing, tracedStore } from '@orch/pipeline';
import {
  Background,
  type BuildFacts,
  Cleanup,
  Health,
  openAll,
  processMetrics,
  processReadings,
  runAll,
  StartError,
  serveOps,
  type VersionInfo,
  versionInfo,
} from '@orch/program';
import { internalKey, type LocalPrograms } from '@orch/registry';
import { type Api, healthRoutes, versionRoutes } from '@orch/server';
import type { ServiceUpkeep } from '@orch/services';
import { runCompactor, type Store } from '@orch/storage';
import { advertisedAddress } from './advertise-address.ts';
import { apiSurface } from './api-surface.ts';
import { openAudit } from './audit/audit-sinks.ts';
import { authenticationMethods, authenticatorOf } from './authentication.ts';
import { authorizationOf } from './authorization.ts';
import { serverUrl, writeAdminConfig, writeControllerConfig } from './certificates/admin-config.ts';
import { reloadCertificates, servingTls } from './certificates/reload.ts';
import { type Certificates, isAnyAddress, prepareCertificates } from './certificates/serving.ts';
import { ServingAuthorities } from './certificates/serving-authorities.ts';
import { ClientTrust } from './client-trust.ts';
import { type Lifecycle, lifecycleChecks } from './health.ts';
import { type LocalAccess, LocalDoor } from './local/local-access.ts';
import { type OwnSecrets, ownSecrets } from './own-secrets.ts';
import type { Settings } from './settings.ts';
import { measuredStore } from './storage/measured-store.ts';
import { openStore } from './storage/open-store.ts';
import { watchStoreSize } from './storage/store-size.ts';
import { clusterTokens } from './tokens/cluster-tokens.ts';
import { ownTokenKeys } from './tokens/token-keys.ts';

/** A server that answers requests and is ready. */
export interface RunningApiServer {
  readonly url: string;
  /** Path of the administrator's client configuration file. */
  readonly adminConfig: string;
  /** Where the ops port is, `host:port`; undefined without one. */
  readonly ops: string | undefined;
  /** What the server has made or was given for the whole cluster. */
  readonly own: OwnSecrets;
  /** The way for the rest of this process, where the host has a loopback user. */
  readonly local: LocalAccess | undefined;
}

export interface ApiServerHost {
  readonly env: Env;
  /** Lines that the log of `env` has lost so far. */
  readonly droppedLogLines: () => number;
  readonly build: BuildFacts;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl?: URL;
  /** Who the rest of this process is to the server; without it, this process has no way in but the port. */
  readonly loopbackUser?: string;
  /** Programs that the rest of this process runs, for the status of components. */
  readonly localPrograms?: LocalPrograms;
  /** Called once, when `/readyz` answers 200. */
  readonly onReady: (running: RunningApiServer) => void;
}

/**
 * From the signal to stop until the last connection is cut, whatever clients do: the delay during which load balancers
 * turn away, the time that a request has, and a moment for what follows it.
 */
const shutdownLimitMs = ({ flags }: Settings): number =>
  flags.shutdownDelay + flags.requestTimeout + SHUTDOWN_SLACK_MS;

const SHUTDOWN_SLACK_MS = 5_000;

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
  readonly upkeep: ServiceUpkeep;
  readonly door: LocalDoor | undefined;
}

async function start(
  settings: Settings,
  host: ApiServerHost,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<Started> {
  const { env } = host;
  const { flags, names } = settings;
  for (const warning of settings.gates.warnings) env.log.warn(warning);
  const version = versionOf(settings, host.build);
  processMetrics(env.metrics, processReadings(), { clock: env.clock, names, version });
  const tracing = openTracing();
  const trust = new ClientTrust(flags);
  const door = doorOf(host, names);
  const audit = openAudit(settings, env);
  if (audit !== undefined) cleanup.add('writing the last events of the audit', () => audit.close());
  const methods = authenticationMethods(flags, {
    env,
    names,
    trust,
    tracing,
    audiences: settings.tokens.audiences,
  });
  const [certificates, opened] = await openAll<[Certificates, Store]>(
    [
      {
        open: (stop) => prepareCertificates({ ...flags, names, hosts: serviceHosts(settings) }, env, stop),
      },
      {
        open: (stop) => openStore(settings, { env, workerUrl: host.workerUrl, signal: stop }),
        close: (store) => store.close(),
      },
    ],
    signal,
  );
  cleanup.add('closing the store', () => opened.close());
  trust.addOwn(certificates.clientAuthority.cert);
  const store = tracedStore(measuredStore(opened, settings.storePrefix, env), settings.storePrefix, tracing);
  const background = new Background(env.log);
  cleanup.add('ending background work', () => background.stop());
  const keys = await ownTokenKeys(flags, certificates.serving.key, env, signal);
  const tokens = clusterTokens(settings, keys, { store, env });
  const { registry, cache, access, feed } = apiSurface(settings, {
    store,
    env,
    tokenIssuer: tokens.issuer,
    tracing,
    localPrograms: host.localPrograms,
    accessOf: (feed) => ({
      authenticator: meantForServer(
        withDoor(door, authenticatorOf(flags, { ...methods, ...tokens.methods(feed) }, { env, names })),
        settings.tokens.audiences,
      ),
      ...authorizationOf(flags, { feed, names, env, tracing }),
    }),
  });
  background.start('the watch cache', (stop) => cache.run(stop));

  const lifecycle = lifecycleChecks({
    store,
    hasFlowControl: flags.priorityAndFairness,
    knowsSpace: settings.storage === 'embedded',
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
    tracing,
    ...access,
    resources: registry.resources,
    servesResource: (info) => registry.servesResource(info),
    routes: [
      ...healthRoutes(health),
      metricsRoute(env.metrics),
      ...versionRoutes(version),
      ...registry.routes,
      ...tokens.routes,
    ],
    apiPaths: () => registry.apiPaths(),
    requestTimeoutMs: flags.requestTimeout,
    maxRequestsInflight: flags.maxRequestsInflight,
    maxMutatingRequestsInflight: flags.maxMutatingRequestsInflight,
    parseDuration: durationMs,
    flowControl:
      flags.priorityAndFairness && settings.features.priorityAndFairness
        ? {
            feed,
            countObjects: (info) => registry.countObjects(info),
            countWatchers: (info) => registry.countWatchers(info),
          }
        : undefined,
    audit: audit === undefined ? undefined : { ...audit, ...registry.audited },
  });
  cleanup.add('dropping timers', () => server.close());
  lifecycle.done('generic-apiserver-start-informers', 'priority-and-fairness-filter');
  cleanup.add('ending local requests', () => door?.close());
  await tokens.start(signal);
  background.start('following the keys of tokens', (stop) => tokens.run(stop));
  const listener = await openPort(settings, host, server, servingTls(certificates, trust));
  cleanup.add('closing connections', () => listener.drain(AbortSignal.abort()));
  background.start('reading certificates again', (stop) =>
    reloadCertificates({ flags, certificates, trust, listener, env }, stop),
  );
  const ops = await openOps(settings, env, health, cleanup);
  using either = anySignal([signal, background.failed]);
  await runAll([(stop) => bootstrap(registry, stop), (stop) => cache.ready(stop)], either.signal);
  lifecycle.done(
    'rbac/bootstrap-roles',
    'scheduling/bootstrap-system-priority-classes',
    'priority-and-fairness-config-producer',
    'priority-and-fairness-config-consumer',
  );
  const trustMap = registry.clientTrustMap(() => trust.facts);
  const servingAuthorities = new ServingAuthorities({
    store,
    prefix: internalKey(settings.storePrefix, 'serving-authorities/'),
    own: certificates.isServingCaOwn ? certificates.servingCa : undefined,
    names,
    env,
    registry,
  });
  const [upkeep] = await runAll<[ServiceUpkeep, unknown, unknown]>(
    [
      (stop) => startUpkeep(settings, registry, { listener, env, signal: stop }),
      (stop) => trustMap.publish(stop),
      (stop) => servingAuthorities.publish(stop),
    ],
    either.signal,
  );
  background.start('keeping services in order', (stop) => upkeep.run(stop));
  background.start('telling extension servers whom to trust', (stop) => trustMap.run(stop));
  background.start('publishing the authorities of serving certificates', (stop) =>
    servingAuthorities.run(stop),
  );
  lifecycle.done('bootstrap-controller', 'start-cluster-authentication-info-controller');
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
  if (flags.controllerConfig !== '') {
    const { clock, random } = env;
    writeControllerConfig(flags.controllerConfig, url, certificates, { names, clock, random });
  }
  const running = {
    url,
    adminConfig: settings.adminConfig,
    ops,
    own: ownSecrets(certificates, keys),
    local: door?.to(server),
  };
  return { running, lifecycle, listener, background, upkeep, door };
}

const doorOf = ({ env, loopbackUser }: ApiServerHost, names: Names): LocalDoor | undefined =>
  loopbackUser === undefined
    ? undefined
    : new LocalDoor(
        { name: loopbackUser, uid: '', groups: [names.userGroups.authenticated], extra: {} },
        env,
      );

const withDoor = (door: LocalDoor | undefined, authenticator: Authenticator): Authenticator =>
  door === undefined ? authenticator : unionAuthenticator([door.authenticator, authenticator]);

/** Addresses of the default service: clients within the cluster know the server under these. */
const serviceHosts = ({ services, flags }: Settings): readonly string[] => [
  ...services.addresses.map((range) => range.at(0)),
  ...(flags.advertiseAddress === '' ? [] : [flags.advertiseAddress]),
];

/** Puts services in order before the first request is served, and says where this server is. */
async function startUpkeep(
  settings: Settings,
  registry: Api,
  { listener, env, signal }: { readonly listener: Listener; readonly env: Env; readonly signal: AbortSignal },
): Promise<ServiceUpkeep> {
  const address = advertisedAddress(settings);
  if (address === undefined && settings.flags.endpointReconciler !== 'none') {
    env.log.warn('no other machine can reach this one: it is not among the endpoints of the default service');
  }
  const upkeep = registry.serviceUpkeep({ port: listener.port, address });
  try {
    await upkeep.start(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new StartError(`cannot put services in order: ${messageOf(error)}`);
  }
  return upkeep;
}

async function bootstrap(registry: Api, signal: AbortSignal): Promise<void> {
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
  { flags, bind, features }: Settings,
  { env }: ApiServerHost,
  server: ApiServer,
  tls: ServingTls,
): Promise<Listener> {
  try {
    return await listen({
      env,
      server,
      ...bind,
      tls,
      limits: { maxConcurrentStreams: flags.maxStreams, goawayChance: flags.goawayChance },
      compresses: features.responseCompression,
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

async function stop(
  settings: Settings,
  env: Env,
  { lifecycle, listener, upkeep, door }: Started,
): Promise<void> {
  const { shutdownDelay } = settings.flags;
  const limitMs = shutdownLimitMs(settings);
  env.log.info('stopping', { shutdownDelayMs: shutdownDelay, limitMs });
  using limit = withDeadline(new AbortController().signal, env.clock, limitMs);
  lifecycle.stopping();
  await upkeep.leave();
  if (shutdownDelay > 0) await sleep(env.clock, shutdownDelay, limit.signal);
  door?.drain();
  await listener.drain(limit.signal);
  env.log.info('stopped');
}
