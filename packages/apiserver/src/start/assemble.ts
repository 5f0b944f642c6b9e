import type { WatchCache } from '@orch/cache';
import type { RememberedRequests } from '@orch/explanations';
import { durationMs } from '@orch/machinery/time';
import {
  type ApiServer,
  createServer,
  RequestRecords,
  type ServerOptions,
  type ServerThread,
  SharedInflight,
} from '@orch/pipeline';
import {
  type BackgroundTask,
  type DebugEndpoints,
  type DebugThreads,
  Health,
  threadMetrics,
} from '@orch/program';
import { internalKey } from '@orch/registry';
import type { Api } from '@orch/server';
import { serverDebug } from '../debug/server-debug.ts';
import { type Lifecycle, lifecycleChecks } from '../health.ts';
import { ReplicaQuestions, type ReplicaQuestionsOptions } from '../peers/replica-questions.ts';
import { announcedSettings, applySetting, type OwnSettings } from '../threads/live-settings.ts';
import { RecordsOfThreads, recordsFor } from '../threads/records-of-threads.ts';
import { type ClusterTokens, clusterTokens } from '../tokens/cluster-tokens.ts';
import { type ApiSurface, apiSurface } from './api-surface.ts';
import { lastHourOf } from './last-hour.ts';
import type { Opened } from './open.ts';
import { type ReplicaParts, replicaParts } from './replica-parts.ts';
import { serverFeatures } from './server-features.ts';
import type { ApiServerHost, StartContext } from './start-context.ts';

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
  const remembered = recordsOfThreads(context, records);
  const lastHour = lastHourOf(context);
  const questions = questionsOf(context, opened, { records: remembered, hasOthers: replicas.hasOthers });
  const surface = apiSurface(context, opened, { tokens, records: remembered, questions, lastHour });
  const { registry, cache } = surface;
  const lifecycle = lifecycleOf(context, opened, cache);
  const health = healthOf(context, lifecycle);
  const { readiness } = replicas;
  const parts = { context, opened, registry, cache, tokens, health, questions, readiness, lastHour };
  const { routes, tasks } = serverFeatures(parts);
  const { accessLogSample: share, profiling: hasProfiles } = context.settings.flags;
  const accessLogSample = { share };
  const settings = settingsOfThreads(context, { verbosity: context.host.verbosity, accessLogSample });
  const debug = serverDebug({
    ...context.host,
    ...settings,
    hasProfiles,
    cache,
    threads: debugThreads(context),
  });
  (context.host.furtherThread ?? context.threads).answerDebug(debug);
  addThreadMetrics(context);
  const pipeline = pipelineOf(context, opened, { ...surface, routes, debug, accessLogSample, records });
  const server = shownToHost(pipeline, context.host);
  return { tokens, registry, cache, lifecycle, health, server, debug, tasks, ...replicas };
}

const shownToHost = (pipeline: ApiServer, { onRequest }: ApiServerHost): ApiServer =>
  onRequest === undefined
    ? pipeline
    : {
        ...pipeline,
        handle(request) {
          onRequest(request);
          return pipeline.handle(request);
        },
      };

/** The settings of this thread, which change together with those of the others. */
function settingsOfThreads({ host, threads }: StartContext, own: OwnSettings): OwnSettings {
  const others = host.furtherThread ?? threads;
  others.onChanged((changed) => applySetting(own, changed));
  return announcedSettings(own, (changed) => others.announce(changed));
}

/** Adds the metrics of this thread, where the process has several. */
function addThreadMetrics({ settings, host, threads }: StartContext): void {
  const { number } = host.furtherThread ?? threads;
  if (settings.flags.threads > 1) threadMetrics(host.env.metrics, number);
}

/** The threads of the process, for requests for debugging. */
function debugThreads({ settings, host, threads }: StartContext): DebugThreads {
  const { number, askDebug } = host.furtherThread ?? threads;
  return { number, count: settings.flags.threads, ask: askDebug };
}

/** The requests that the process remembers, which any of its threads has handled. */
function recordsOfThreads(
  { settings, host, threads }: StartContext,
  own: RequestRecords,
): RememberedRequests {
  if (settings.flags.threads === 1) return own;
  const others = host.furtherThread ?? threads;
  others.answerRecords((query) => recordsFor(own, query));
  return new RecordsOfThreads(own, (query) => others.recordsOfOthers(query));
}

const questionsOf = (
  { settings: { storePrefix }, host: { env, furtherThread }, threads }: StartContext,
  { store }: Pick<Opened, 'store'>,
  parts: Pick<ReplicaQuestionsOptions, 'records' | 'hasOthers'>,
): ReplicaQuestions =>
  new ReplicaQuestions({
    store,
    prefix: internalKey(storePrefix, 'request-questions/'),
    env,
    id: (furtherThread ?? threads).replica,
    answers: furtherThread === undefined,
    limits: (furtherThread ?? threads).questionLimits,
    ...parts,
  });

const lifecycleOf = (
  { settings, host, threads }: StartContext,
  {
    stores: [main, ...others],
    encryption,
    reloads,
    supplied,
  }: Pick<Opened, 'stores' | 'encryption' | 'reloads' | 'supplied'>,
  cache: WatchCache,
): Lifecycle =>
  lifecycleChecks({
    store: main.store,
    overrides: others.map(({ store }) => store),
    hasFlowControl: settings.flags.priorityAndFairness,
    configuration: [...(encryption?.checks ?? []), ...reloads.checks, ...supplied.checks],
    reportsSpace: settings.storage === 'embedded',
    isCacheReady: () => cache.isReady(),
    threadsServe: () => threads.areServing,
    droppedLogLines: host.droppedLogLines,
  });

const healthOf = ({ settings, host: { env } }: StartContext, { checks }: Lifecycle): Health =>
  new Health({
    checks,
    clock: env.clock,
    log: env.log,
    livezGraceMs: settings.flags.livezGracePeriod,
  });

/** This thread, where the process has several. */
function threadOf({ settings, host, threads }: StartContext): ServerThread | undefined {
  const { threads: count } = settings.flags;
  if (count === 1) return undefined;
  const { memory, number } = host.furtherThread ?? threads;
  return { count, number, inflight: new SharedInflight(memory.inflight) };
}

function pipelineOf(
  context: StartContext,
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
  const { settings, host } = context;
  const { flags, features, names } = settings;
  const { env } = host;
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
    servesCbor: features.cbor,
    apiPaths: () => registry.apiPaths(),
    requestTimeoutMs: flags.requestTimeout,
    maxRequestsInflight: flags.maxRequestsInflight,
    maxMutatingRequestsInflight: flags.maxMutatingRequestsInflight,
    thread: threadOf(context),
    parseDuration: durationMs,
    flowControl:
      flags.priorityAndFairness && features.priorityAndFairness
        ? {
            source,
            countObjects: (info) => registry.countObjects(info),
            countWatchers: (info) => registry.countWatchers(info),
            countBytes: (info) => registry.countBytes(info),
          }
        : undefined,
    audit: audit === undefined ? undefined : { ...audit, ...registry.audited },
  });
}
