import { unionAuthenticator, withServerAudiences } from '@orch/auth';
import type { WatchCache } from '@orch/cache';
import { durationMs } from '@orch/machinery/time';
import {
  type ApiServer,
  createServer,
  metricsRoute,
  RequestRecords,
  type ServerOptions,
} from '@orch/pipeline';
import { type BackgroundTask, type DebugEndpoints, Health } from '@orch/program';
import { internalKey } from '@orch/registry';
import type { Route } from '@orch/request';
import { type Api, type ApiOptions, healthRoutes, versionRoutes } from '@orch/server';
import { type ApiSurface, apiSurface } from '../api-surface.ts';
import { authenticatorOf } from '../authentication/authentication.ts';
import { authorizationOf } from '../authorization/authorization.ts';
import { serverDebug } from '../debug/server-debug.ts';
import { type Lifecycle, lifecycleChecks } from '../health.ts';
import { ReplicaQuestions, type ReplicaQuestionsOptions } from '../peers/replica-questions.ts';
import { backupRoute } from '../storage/backup-route.ts';
import { migrationRoute } from '../storage/migration-route.ts';
import { type ClusterTokens, clusterTokens } from '../tokens/cluster-tokens.ts';
import type { Opened } from './open.ts';
import { type ReplicaParts, replicaParts } from './replica-parts.ts';
import type { StartContext } from './start-context.ts';

/** The parts of a server, connected with each other. None of them runs yet. */
export interface Assembled extends ReplicaParts {
  readonly tokens: ClusterTokens;
  readonly registry: Api;
  readonly cache: WatchCache;
  readonly lifecycle: Lifecycle;
  readonly health: Health;
  /** The request pipeline. */
  readonly server: ApiServer;
  /** Endpoints below `/debug`. */
  readonly debug: DebugEndpoints;
  /** Work on the parts, which begins with the watch cache. */
  readonly tasks: readonly BackgroundTask[];
}

/** Second phase: builds the API, health checks and the request pipeline from the opened parts. */
export function assemble(context: StartContext, opened: Opened): Assembled {
  const { env } = context.host;
  const tokens = clusterTokens(context.settings, opened.keys, { store: opened.store, env });
  const records = new RequestRecords(env.clock, context.settings.names);
  const replicas = replicaParts(context, opened);
  const questions = questionsOf(context, opened, { records, hasOthers: replicas.hasOthers });
  const surface = surfaceOf(context, opened, {
    tokens,
    explanations: {
      remembered: records,
      peers: questions,
      historyOf: (parts) => opened.history?.fieldWrites(parts),
    },
  });
  const { registry, cache } = surface;
  const lifecycle = lifecycleOf(context, opened, cache);
  const health = healthOf(context, lifecycle);
  const routes = [
    ...healthRoutes(health),
    metricsRoute(env.metrics),
    ...versionRoutes(opened.version),
    ...registry.routes,
    ...tokens.routes,
    backupRouteOf(context, opened),
    migrationRoute({
      store: opened.movable,
      readiness: replicas.readiness,
      settings: context.settings,
      env,
      workerUrl: context.host.workerUrl,
      reloading: { reloads: opened.reloads, metrics: context.host.env.metrics },
    }),
  ];
  const { accessLogSample: share, profiling: hasProfiles } = context.settings.flags;
  const accessLogSample = { share };
  const debug = serverDebug({ ...context.host, accessLogSample, hasProfiles, cache });
  const server = pipelineOf(context, opened, { ...surface, routes, debug, accessLogSample, records });
  const tasks: readonly BackgroundTask[] = [
    ['watch cache', (stop) => cache.run(stop)],
    ...registry.tasks.withCache,
    ...encryptionTasks(opened, cache),
    ['questions of replicas', (stop) => questions.run(stop)],
    ['questions about migrations', (stop) => replicas.readiness.run(stop)],
  ];
  return { tokens, registry, cache, lifecycle, health, server, debug, tasks, ...replicas };
}

const encryptionTasks = (
  { encryption }: Pick<Opened, 'encryption'>,
  cache: WatchCache,
): readonly BackgroundTask[] =>
  encryption === undefined
    ? []
    : [['objects that could not be decrypted', (stop) => encryption.readAgain(cache, stop)]];

const backupRouteOf = (
  { settings: { storePrefix, names }, host: { env } }: StartContext,
  { storedBytes }: Pick<Opened, 'storedBytes'>,
): Route =>
  backupRoute({
    store: storedBytes,
    prefix: storePrefix,
    encryptionMarker: names.storedPrefixes.encrypted,
    env,
  });

const questionsOf = (
  { settings: { storePrefix }, host: { env } }: StartContext,
  { store }: Pick<Opened, 'store'>,
  parts: Pick<ReplicaQuestionsOptions, 'records' | 'hasOthers'>,
): ReplicaQuestions =>
  new ReplicaQuestions({ store, prefix: internalKey(storePrefix, 'request-questions/'), env, ...parts });

function surfaceOf(
  { settings, host: { env, localPrograms } }: StartContext,
  {
    store,
    history,
    tracing,
    methods,
    loopback,
    proxyCertificate,
    pluginConfiguration,
    reloads,
    configured,
  }: Opened,
  { tokens, explanations }: Pick<ApiOptions, 'explanations'> & { readonly tokens: ClusterTokens },
): ApiSurface {
  const { flags, names } = settings;
  return apiSurface(settings, {
    api: {
      store,
      env,
      recorder: history?.recorder,
      tokenIssuer: tokens.issuer,
      explanations,
      localPrograms,
    },
    reloads,
    tracing,
    pluginConfiguration,
    proxyIdentity: () => proxyCertificate.current,
    accessOf: (source) => {
      const { isUnrestricted, ...authorization } = authorizationOf(flags, {
        source,
        names,
        env,
        tracing,
        reloads,
      });
      const ofFlags = authenticatorOf(
        flags,
        { ...methods, ...tokens.methods(source) },
        { env, names, anonymous: { configured: () => configured?.anonymous(), isUnrestricted } },
      );
      return {
        authenticator: withServerAudiences(
          loopback === undefined ? ofFlags : unionAuthenticator([loopback.authenticator, ofFlags]),
          settings.tokens.audiences,
        ),
        ...authorization,
      };
    },
  });
}

const lifecycleOf = (
  { settings, host }: StartContext,
  { store, encryption, reloads, supplied }: Pick<Opened, 'store' | 'encryption' | 'reloads' | 'supplied'>,
  cache: WatchCache,
): Lifecycle =>
  lifecycleChecks({
    store,
    hasFlowControl: settings.flags.priorityAndFairness,
    configuration: [...(encryption?.checks ?? []), ...reloads.checks, ...supplied.checks],
    reportsSpace: settings.storage === 'embedded',
    isCacheReady: () => cache.isReady(),
    droppedLogLines: host.droppedLogLines,
  });

const healthOf = ({ settings, host: { env } }: StartContext, { checks }: Lifecycle): Health =>
  new Health({
    checks,
    clock: env.clock,
    log: env.log,
    livezGraceMs: settings.flags.livezGracePeriod,
  });

function pipelineOf(
  { settings: { flags, features, names }, host: { env } }: StartContext,
  { tracing, audit, history }: Opened,
  {
    registry,
    access,
    source,
    routes,
    debug,
    accessLogSample,
    records,
  }: ApiSurface & Pick<ServerOptions, 'routes' | 'debug' | 'accessLogSample' | 'records'>,
): ApiServer {
  return createServer({
    env,
    names,
    tracing,
    records,
    ...access,
    resources: registry.resources,
    history: history?.handler({ past: registry.past, authorizer: access.authorizer }),
    servesResource: (info) => registry.servesResource(info),
    routes,
    debug,
    accessLogSample,
    heedsFieldValidation: features.fieldValidation,
    apiPaths: () => registry.apiPaths(),
    requestTimeoutMs: flags.requestTimeout,
    maxRequestsInflight: flags.maxRequestsInflight,
    maxMutatingRequestsInflight: flags.maxMutatingRequestsInflight,
    parseDuration: durationMs,
    flowControl:
      flags.priorityAndFairness && features.priorityAndFairness
        ? {
            source,
            countObjects: (info) => registry.countObjects(info),
            countWatchers: (info) => registry.countWatchers(info),
          }
        : undefined,
    audit: audit === undefined ? undefined : { ...audit, ...registry.audited },
  });
}
