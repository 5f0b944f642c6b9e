import { findKind, type Release, type ResourceType, servedIn, typesAt } from '@orch/apis';
import { StrategicMerge } from '@orch/apply';
import type { ResourceCache } from '@orch/cache';
import type { Env, Names } from '@orch/machinery';
import {
  codecCompiler,
  type Field,
  type ProtobufCodec,
  protobufCompiler,
  type StructSchema,
} from '@orch/schema';
import type { Store } from '@orch/storage';
import { discoveryRoutes } from '../discovery/index.ts';
import { Negotiator } from '../negotiation/index.ts';
import { openApiRoutes } from '../openapi/index.ts';
import type { ResourceContext } from '../pipeline/dispatch.ts';
import type { Handler, ResourceRequest, Route } from '../pipeline/types.ts';
import { createBootstrapNamespaces } from './bootstrap-namespaces.ts';
import { resourceHandler } from './dispatcher.ts';
import { TokenSource } from './paging-key.ts';
import type { SharedProtobuf } from './protobuf-encodings.ts';
import type { RegistryContext, RegistryLimits } from './registry-context.ts';
import { metricName, registryMetrics } from './registry-metrics.ts';
import { ResourceTable } from './resource-table.ts';
import { type ServedResource, type StoredResource, servedResource } from './served-resource.ts';
import { DEFAULT_STORE_PREFIX } from './store-keys.ts';

export const defaultRegistryLimits: RegistryLimits = {
  bodyBytes: 3 * 1024 * 1024,
  minRequestTimeoutMs: 1_800_000,
};

export interface RegistryOptions {
  readonly names: Names;
  /** Rows of the API; those that `release` does not have are left out. */
  readonly types: readonly ResourceType[];
  readonly store: Store;
  /** The cache of a stored resource; asked once for each. */
  readonly cacheOf: (type: ResourceType) => ResourceCache;
  readonly env: Env;
  readonly release: Release;
  /** Where the registry lives in the store, with a slash at its end; `/registry/` when absent. */
  readonly storePrefix?: string;
  readonly limits?: Partial<RegistryLimits>;
}

/** The API of the registry: what the server's pipeline ends in. */
export interface Registry {
  /** Serves everything below `/api/<version>/` and `/apis/<group>/<version>/`. */
  readonly resources: Handler<ResourceContext>;
  servesResource(info: ResourceRequest): boolean;
  /** Discovery and OpenAPI. */
  readonly routes: readonly Route[];
  /** Paths of the groups and versions that are served. */
  apiPaths(): readonly string[];
  /** Creates what every cluster has and this one lacks. Needs the store only. */
  bootstrap(signal: AbortSignal): Promise<void>;
}

/** Builds the registry of one replica. Does nothing but declare metrics until it is asked something. */
export function createRegistry(options: RegistryOptions): Registry {
  const context = registryContext(options);
  const discovery = discoveryRoutes(context);
  return {
    resources: resourceHandler(context),
    servesResource: (info) => {
      const resource = context.table.find(info.group, info.version, info.resource);
      return (
        resource !== undefined && (info.subresource === '' || resource.subresources.has(info.subresource))
      );
    },
    routes: [...discovery.routes, ...openApiRoutes(context)],
    apiPaths: () => discovery.paths,
    bootstrap: (signal) => createBootstrapNamespaces(context, signal),
  };
}

function registryContext(options: RegistryOptions): RegistryContext {
  const { names, env, release, store, storePrefix = DEFAULT_STORE_PREFIX } = options;
  const includes = includedIn(release);
  const codecs = codecCompiler(names, { includes });
  const protobufCodecs = protobufCompiler(names, { includes });
  const protobufOf = (kind: string): ProtobufCodec =>
    protobufCodecs.compile(auxiliarySchema('meta', 'v1', kind));
  const sharedProtobuf: SharedProtobuf = {
    partial: protobufOf('PartialObjectMetadata'),
    partialList: protobufOf('PartialObjectMetadataList'),
    status: protobufOf('Status'),
  };
  const resourceOptions = { names, clock: env.clock, codecs, protobufCodecs, sharedProtobuf, storePrefix };
  const table = new ResourceTable(typesAt(release, options.types), (type, version) =>
    servedResource(type, version, resourceOptions),
  );
  const stored = withCaches(table, options.cacheOf);
  return {
    names,
    env,
    release,
    includes,
    store,
    storePrefix,
    limits: { ...defaultRegistryLimits, ...options.limits },
    table,
    negotiator: new Negotiator(names),
    tokens: new TokenSource(store, storePrefix, env.random),
    metrics: registryMetrics(env.metrics, () => counts(stored)),
    strategic: new StrategicMerge(names),
    auxiliary: (group, version, kind) => codecs.compile(auxiliarySchema(group, version, kind)),
    auxiliaryProtobuf(group, version, kind) {
      const schema = auxiliarySchema(group, version, kind);
      return {
        mediaType: names.mediaTypes.protobuf,
        kind,
        schemaName: schema.name,
        codec: protobufCodecs.compile(schema),
      };
    },
    auxiliarySchema,
    stored(resource) {
      const found = stored.get(resource);
      if (found === undefined) throw new TypeError(`${resource.type.resource} is not stored`);
      return found;
    },
  };
}

function auxiliarySchema(group: string, version: string, kind: string): StructSchema {
  const declaration = findKind(group, version, kind);
  if (declaration === undefined) throw new TypeError(`there is no kind ${group}/${version} ${kind}`);
  return declaration.schema;
}

/** Members of objects that the emulated release has. */
const includedIn =
  (release: Release) =>
  ({ since, until }: Field): boolean =>
    servedIn(release, {
      ...(since === undefined ? {} : { introduced: since }),
      ...(until === undefined ? {} : { removed: until }),
    });

/** Every stored resource with its cache; all versions of one share it. */
function withCaches(
  table: ResourceTable,
  cacheOf: RegistryOptions['cacheOf'],
): ReadonlyMap<ServedResource, StoredResource> {
  const caches = new Map<string, ResourceCache>();
  const stored = new Map<ServedResource, StoredResource>();
  for (const resource of table.all) {
    if (resource.type.virtual === true) continue;
    const cache = caches.get(resource.keyPrefix) ?? cacheOf(resource.type);
    caches.set(resource.keyPrefix, cache);
    stored.set(resource, { ...resource, cache });
  }
  return stored;
}

function* counts(
  stored: ReadonlyMap<ServedResource, StoredResource>,
): Generator<{ readonly name: string; readonly count: number }> {
  for (const [resource, { cache }] of stored) yield { name: metricName(resource), count: cache.count() };
}
