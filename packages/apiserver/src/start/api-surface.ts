import { builtinTypes, type ServedType, typesAt } from '@orch/apis';
import type { ObjectSource } from '@orch/auth';
import {
  type CachedResource,
  createWatchCache,
  ObjectFeed,
  type ThreadLinks,
  type WatchCache,
} from '@orch/cache';
import type { IdentityFields } from '@orch/connect';
import type { RememberedRequests } from '@orch/explanations';
import {
  type Access,
  cachedResourceOf,
  cacheNameOf,
  objectSource,
  RecentWrites,
  type SchemaCompilers,
  schemaCompilers,
} from '@orch/registry';
import { type Api, type ApiOptions, createApi } from '@orch/server';
import { admissionChain } from '../admission.ts';
import { machineAddresses } from '../advertise-address.ts';
import { nodeAgentOptionsOf } from '../node-agents.ts';
import type { ReplicaQuestions } from '../peers/replica-questions.ts';
import type { Settings } from '../settings/settings.ts';
import { numberOfStore, routesOf } from '../storage/server-stores.ts';
import { type ProgressOfThreads, progressOfThreads } from '../threads/progress-of-threads.ts';
import { tracedCalls } from '../traced-calls.ts';
import type { LastHour } from './last-hour.ts';
import type { Opened } from './open.ts';
import { type ServerAccessParts, serverAccess } from './server-access.ts';
import type { StartContext } from './start-context.ts';

/** The API over one store: the registry, and the cache that it reads from. */
export interface ApiSurface {
  readonly registry: Api;
  readonly cache: WatchCache;
  /** The authenticator and the authorizer. */
  readonly access: Access;
  /** The objects of the cluster, for subscribers. */
  readonly source: ObjectSource;
}

/** The parts of the API that are neither opened nor follow from settings. */
export interface ApiSurfaceParts extends Pick<ServerAccessParts, 'tokens'> {
  /** The requests that this server remembers. */
  readonly records: RememberedRequests;
  readonly lastHour: LastHour;
  /** Asks other replicas. */
  readonly questions: ReplicaQuestions;
}

/** Connects the kinds of the emulated release, the watch cache and the registry. Nothing runs yet. */
export function apiSurface(context: StartContext, opened: Opened, parts: ApiSurfaceParts): ApiSurface {
  const { settings } = context;
  const recentWrites = recentWritesOf(context);
  const compilers = compilersOf(settings);
  const cachedResource = cachedResources(settings, compilers, recentWrites);
  const progress = progressOf(context, opened);
  const cache = cacheOf(context, opened, { cachedResource, progress: progress?.progress });
  const source = objectSource(cache);
  const access = serverAccess(context, opened, { ...parts, source });
  const registry = registryOf(context, opened, {
    ...parts,
    compilers,
    recentWrites,
    threads: progress?.threads,
    cache,
    cachedResource,
    access,
  });
  return { registry, cache, access, source };
}

/** The progress of the threads of this process; undefined when it has one. */
function progressOf(
  { settings: { storePrefix }, host, threads }: StartContext,
  { stores: [, ...others] }: Opened,
): ProgressOfThreads | undefined {
  if (host.furtherThread === undefined && threads.count === 0) return undefined;
  const routes = routesOf(others, storePrefix);
  return progressOfThreads(host.furtherThread ?? threads, host.env, (key) => numberOfStore(routes, key));
}

/** Decodes the objects of a resource for the watch cache. */
type CachedResources = (type: ServedType) => CachedResource;

/** A further thread receives also the objects that it writes as the first thread has read them. */
const recentWritesOf = ({ host: { furtherThread } }: StartContext): RecentWrites | undefined =>
  furtherThread === undefined ? new RecentWrites() : undefined;

/** The cache and the registry share what they compile. */
const compilersOf = ({ flags, names, release, gates }: Settings): SchemaCompilers =>
  schemaCompilers({
    names,
    release,
    openGates: gates.open,
    closedGates: gates.closed,
    allowPrivileged: flags.allowPrivileged,
  });

function cachedResources(
  { names, storePrefix }: Settings,
  { wholeCodecs: codecs, protobufCodecs: messages }: SchemaCompilers,
  recentWrites: RecentWrites | undefined,
): CachedResources {
  // Codecs have all fields: stored objects keep fields that the release does not serve.
  const parts = { names, storePrefix, codecs, messages, ...(recentWrites && { recentWrites }) };
  return (type) => cachedResourceOf(type, parts);
}

interface CacheParts {
  readonly cachedResource: CachedResources;
  readonly progress: ProgressOfThreads['progress'] | undefined;
}

function cacheOf(
  { settings: { release, isEnabled, storePrefix }, host: { env, furtherThread }, threads }: StartContext,
  { stores: [main, ...others] }: Opened,
  { cachedResource, progress }: CacheParts,
): WatchCache {
  const feeds = threads.count === 0 ? [] : [main, ...others].map(() => new ObjectFeed());
  const linksOf = (store: number): ThreadLinks => {
    const [feed, followed] = [feeds[store], furtherThread?.feeds[store]];
    return {
      ...(feed && { feed }),
      ...(progress?.[store] && { progress: progress[store] }),
      ...(followed && { followed }),
    };
  };
  const cache = createWatchCache({
    store: main.store,
    routes: routesOf(others, storePrefix).map((route, at) => ({ ...route, ...linksOf(at + 1) })),
    prefix: storePrefix,
    env,
    resources: typesAt(release, builtinTypes, isEnabled)
      .filter((type) => type.virtual !== true)
      .map(cachedResource),
    ...linksOf(0),
  });
  if (feeds.length > 0) threads.follow(feeds);
  return cache;
}

/** The parts through which the registry reads and writes. */
interface RegistryParts extends Pick<ApiSurface, 'cache' | 'access'>, ApiSurfaceParts {
  readonly compilers: SchemaCompilers;
  readonly recentWrites: RecentWrites | undefined;
  readonly threads: ProgressOfThreads['threads'] | undefined;
  readonly cachedResource: CachedResources;
}

function registryOf(
  { settings, host: { env, localPrograms, furtherThread, yamlThreadUrl }, threads: others }: StartContext,
  { store, history, tracing, reloads, proxyCertificate, pluginConfiguration }: Opened,
  {
    compilers,
    recentWrites,
    threads,
    cache,
    cachedResource,
    access,
    tokens,
    records,
    questions,
    lastHour,
  }: RegistryParts,
): Api {
  const { flags } = settings;
  const forwarding = {
    identityFields: identityFieldsOf(flags),
    ...(tracing === undefined ? {} : { traceHeaders: () => tracing.headers() }),
  };
  const plugins = {
    env,
    access,
    source: objectSource(cache, 'failing'),
    tracing,
    configuration: pluginConfiguration,
    reloads,
    eventTokens: (furtherThread ?? others).eventTokens,
  };
  return createApi({
    ...optionsOfSettings(settings),
    compilers,
    store,
    env,
    localPrograms,
    access,
    ...(recentWrites && { recentWrites }),
    recorder: history?.recorder,
    threads,
    tokenIssuer: tokens.issuer,
    yamlThread: yamlThreadUrl,
    explanations: {
      remembered: records,
      peers: questions,
      lastHour: lastHour.read,
      historyOf: (parts) => history?.fieldWrites(parts),
    },
    admission: (given) => admissionChain(settings, plugins, given),
    customResources: { cache, cachedResourceOf: cachedResource },
    webhookTracing: tracing === undefined ? undefined : tracedCalls(tracing),
    connect: { nodeAgents: nodeAgentOptionsOf(flags, { env, reloads }), ...forwarding },
    aggregation: {
      identity: () => proxyCertificate.current,
      ...forwarding,
      machineAddresses: () => machineAddresses(settings),
    },
    cacheOf(type) {
      const found = cache.resource(cacheNameOf(type));
      if (found === undefined) throw new TypeError(`${type.resource} is not cached`);
      return found;
    },
  });
}

/** Options of the API that follow from settings alone. */
const optionsOfSettings = (settings: Settings) => {
  const { flags, names, gates, release, isEnabled, features, services, storePrefix, storedAs } = settings;
  return {
    names,
    types: builtinTypes,
    isEnabled,
    openGates: gates.open,
    closedGates: gates.closed,
    allowPrivileged: flags.allowPrivileged,
    keepsFlowSchemas: flags.priorityAndFairness && features.priorityAndFairness,
    features,
    release,
    storePrefix,
    storedAs,
    services,
    limits: {
      minRequestTimeoutMs: flags.minRequestTimeout * 1000,
      expirySeconds: Math.ceil(flags.eventTtl / 1000),
      deleteCollectionWorkers: flags.deleteCollectionWorkers,
    },
    externalAddress: externalAddressOf(settings),
  } satisfies Partial<ApiOptions>;
};

/** Host and port of `--external-hostname`; undefined without it. */
const externalAddressOf = ({ flags: { externalHostname: host }, bind }: Settings): string | undefined =>
  host === '' ? undefined : /:\d+$/.test(host) && !host.endsWith(']') ? host : `${host}:${bind.port}`;

/** Header fields in which front proxies name users; they are not forwarded to backends. */
const identityFieldsOf = (flags: Settings['flags']): IdentityFields => ({
  names: [
    ...flags.requestHeaderUsernameHeaders,
    ...flags.requestHeaderUidHeaders,
    ...flags.requestHeaderGroupHeaders,
  ].map((name) => name.toLowerCase()),
  prefixes: flags.requestHeaderExtraHeadersPrefix.map((prefix) => prefix.toLowerCase()),
});
