import type { PluginConfiguration } from '@orch/admission';
import type { CurrentProxyIdentity } from '@orch/aggregation';
import { builtinTypes, type ServedType, typesAt } from '@orch/apis';
import type { ObjectSource } from '@orch/auth';
import { type CachedResource, createWatchCache, type WatchCache } from '@orch/cache';
import type { IdentityFields } from '@orch/connect';
import type { Tracing } from '@orch/pipeline';
import {
  type Access,
  cachedResourceOf,
  cacheNameOf,
  conversionCodecs,
  conversionMessages,
  objectSource,
  RecentWrites,
} from '@orch/registry';
import { type Api, type ApiOptions, createApi } from '@orch/server';
import { admissionChain } from './admission.ts';
import { machineAddresses } from './advertise-address.ts';
import { nodeAgentOptionsOf } from './node-agents.ts';
import type { Reloads } from './reload/reloads.ts';
import type { Settings } from './settings/settings.ts';
import { tracedCalls } from './traced-calls.ts';

/** The API over one store: the registry, and the cache that it reads from. */
export interface ApiSurface {
  readonly registry: Api;
  readonly cache: WatchCache;
  /** The authenticator and the authorizer. */
  readonly access: Access;
  /** The objects of the cluster, for subscribers. */
  readonly source: ObjectSource;
}

/** Options of the API that follow neither from settings nor from the cache. */
type SuppliedOptions = Pick<
  ApiOptions,
  'store' | 'env' | 'recorder' | 'tokenIssuer' | 'localPrograms' | 'explanations'
>;

export interface ApiSurfaceParts {
  /** Passed on to the API as they are. */
  readonly api: SuppliedOptions;
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
  /** Creates the authenticator and the authorizer over the objects of the cluster. */
  readonly accessOf: (source: ObjectSource) => Access;
  readonly tracing?: Tracing | undefined;
  /** Settings of admission plugins. */
  readonly pluginConfiguration: PluginConfiguration;
  /** The client certificate for extension API servers; none when absent. */
  readonly proxyIdentity?: CurrentProxyIdentity;
}

/** Connects the kinds of the emulated release, the watch cache and the registry. Nothing runs yet. */
export function apiSurface(settings: Settings, parts: ApiSurfaceParts): ApiSurface {
  const recentWrites = new RecentWrites();
  const cachedResource = cachedResources(settings, recentWrites);
  const cache = cacheOf(settings, parts, cachedResource);
  const source = objectSource(cache);
  const access = parts.accessOf(source);
  const registry = registryOf(settings, parts, { recentWrites, cache, cachedResource, access });
  return { registry, cache, access, source };
}

/** Decodes the objects of a resource for the watch cache. */
type CachedResources = (type: ServedType) => CachedResource;

function cachedResources(
  { names, release, gates, storePrefix }: Settings,
  recentWrites: RecentWrites,
): CachedResources {
  // Of all fields: stored objects keep fields that the release does not serve.
  const codecs = conversionCodecs(names, release, gates.open);
  const messages = conversionMessages(names, release, gates.open);
  return (type) => cachedResourceOf(type, { names, storePrefix, codecs, messages, recentWrites });
}

function cacheOf(
  { release, isEnabled, storePrefix }: Settings,
  { api: { store, env } }: ApiSurfaceParts,
  cachedResource: CachedResources,
): WatchCache {
  return createWatchCache({
    store,
    prefix: storePrefix,
    env,
    resources: typesAt(release, builtinTypes, isEnabled)
      .filter((type) => type.virtual !== true)
      .map(cachedResource),
  });
}

/** The parts through which the registry reads and writes. */
interface RegistryParts extends Pick<ApiSurface, 'cache' | 'access'> {
  readonly recentWrites: RecentWrites;
  readonly cachedResource: CachedResources;
}

function registryOf(
  settings: Settings,
  parts: ApiSurfaceParts,
  { recentWrites, cache, cachedResource, access }: RegistryParts,
): Api {
  const source = objectSource(cache, 'failing');
  const { api, reloads, tracing, proxyIdentity, pluginConfiguration: configuration } = parts;
  const { env } = api;
  const { flags } = settings;
  const forwarding = {
    identityFields: identityFieldsOf(flags),
    ...(tracing === undefined ? {} : { traceHeaders: () => tracing.headers() }),
  };
  return createApi({
    ...api,
    ...optionsOfSettings(settings),
    access,
    recentWrites,
    admission: (given) =>
      admissionChain(settings, { env, access, source, tracing, configuration, reloads }, given),
    customResources: { cache, cachedResourceOf: cachedResource },
    webhookTracing: tracing === undefined ? undefined : tracedCalls(tracing),
    connect: { nodeAgents: nodeAgentOptionsOf(flags, { env, reloads }), ...forwarding },
    aggregation: {
      ...(proxyIdentity === undefined ? {} : { identity: proxyIdentity }),
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
  names: [...flags.requestHeaderUsernameHeaders, ...flags.requestHeaderGroupHeaders].map((name) =>
    name.toLowerCase(),
  ),
  prefixes: flags.requestHeaderExtraHeadersPrefix.map((prefix) => prefix.toLowerCase()),
});
