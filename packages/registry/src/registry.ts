import type { AdmissionChain, OwnerResource, PluginParts } from '@orch/admission';
import {
  defaultServerFeatures,
  fieldServedIn,
  findKind,
  groupVersionsBefore,
  type IsEnabled,
  type Release,
  type ResourceType,
  type ServerFeatures,
} from '@orch/apis';
import { Shapes, StrategicMerge } from '@orch/apply';
import type { TokenIssuer } from '@orch/auth';
import type { ResourceCache } from '@orch/cache';
import type { Env, Names } from '@orch/machinery';
import { type Handler, Negotiator, type ResourceContext, type ResourceRequest } from '@orch/request';
import { codecCompiler, type ProtobufCodec, type StructSchema } from '@orch/schema';
import type { Store } from '@orch/storage';
import { type AuditViews, auditViews } from './audit-views.ts';
import { conversionCodecs, conversionMessages } from './convert/conversion-codecs.ts';
import { declaredIn, kindCodecs } from './convert/decoding.ts';
import type { StoredEncoding } from './convert/storage-codec.ts';
import { resourceHandler } from './dispatcher.ts';
import type { SharedProtobuf } from './encode/protobuf-encodings.ts';
import { internalObjects, type ServerContext } from './internal/internal-objects.ts';
import type { Connector } from './resource/connector.ts';
import { ContinueTokenSource } from './resource/continue-token-source.ts';
import type { LocalPrograms } from './resource/local-programs.ts';
import type { RegistryLimits } from './resource/paths.ts';
import type { RecentWrites } from './resource/recent-writes.ts';
import type { RegistryContext } from './resource/registry-context.ts';
import { metricName, registryMetrics } from './resource/registry-metrics.ts';
import { ResourceTable } from './resource/resource-table.ts';
import { servedDefinitions } from './resource/served-definitions.ts';
import { type ServedResource, type StoredResource, servedResources } from './resource/served-resource.ts';
import { DEFAULT_STORE_PREFIX } from './resource/store-keys.ts';
import { UnchangedApplies } from './resource/unchanged-applies.ts';
import { type VirtualResource, type VirtualResources, virtualKey } from './resource/virtual-resource.ts';
import type { WriteHooks } from './resource/write-hooks.ts';
import { builtinVirtualResources } from './virtual/builtin-virtual-resources.ts';
import { type Access, reviewResources } from './virtual/reviews/review-resources.ts';

export const defaultRegistryLimits: RegistryLimits = {
  bodyBytes: 3 * 1024 * 1024,
  minRequestTimeoutMs: 1_800_000,
  expirySeconds: 3600,
};

export interface RegistryOptions {
  readonly names: Names;
  /** Resource definitions; those that `release` does not have are ignored. */
  readonly types: readonly ResourceType[];
  readonly store: Store;
  /** The cache of a stored resource; called once for each. */
  readonly cacheOf: (type: ResourceType) => ResourceCache;
  /** Shared with the cached resources, which then do not decode what this server has just written. */
  readonly recentWrites?: RecentWrites;
  readonly env: Env;
  readonly release: Release;
  /** Feature gates that enable fields before the release that enables them by default. */
  readonly openGates?: ReadonlySet<string>;
  /** Feature gates that disable fields that the release enables by default. */
  readonly closedGates?: ReadonlySet<string>;
  /** Server features; the defaults of the release when absent. */
  readonly features?: ServerFeatures;
  /** Which versions of the release are served; its defaults when absent. */
  readonly isEnabled?: IsEnabled;
  /** Completes reviews. */
  readonly access: Access;
  /** Handlers of resources that are not stored, beside those that every registry has. */
  readonly virtual?: VirtualResources;
  /** Where the registry lives in the store, with a slash at its end; `/registry/` when absent. */
  readonly storePrefix?: string;
  /** How objects are encoded in the store; every encoding is read. JSON when absent. */
  readonly storedAs?: StoredEncoding;
  readonly limits?: Partial<RegistryLimits>;
  /** Serves the subresources that connect to nodes, pods and services. */
  readonly connector: Connector;
  /** Hooks of a kind around every commit of its objects; none when absent. */
  readonly hooksOf?: HooksOf;
  /** Makes the admission plugins; none when absent. */
  readonly admission?: ((parts: AdmissionParts) => AdmissionChain) | undefined;
  /** Programs that run in this process, for the status of components; none when absent. */
  readonly localPrograms?: LocalPrograms | undefined;
  /** Issues tokens of service accounts; there is no token subresource when absent. */
  readonly tokenIssuer?: TokenIssuer | undefined;
}

/** What the registry provides to admission plugins. */
export type AdmissionParts = Pick<PluginParts, 'resourcesOf'>;

/** Serves resources, and gives other parts of the server access to objects. */
export interface Registry {
  /** Serves everything below `/api/<version>/` and `/apis/<group>/<version>/`. */
  readonly resources: Handler<ResourceContext>;
  servesResource(info: ResourceRequest): boolean;
  /** Number of objects of the resource of a request; undefined for a resource that is not stored. */
  countObjects(info: ResourceRequest): number | undefined;
  /** Number of watchers that a write of this resource notifies; undefined for a resource that is not stored. */
  countWatchers(info: ResourceRequest): number | undefined;
  /** How audit events decode bodies, and which requests they mark as deprecated. */
  readonly audited: AuditViews;
  /** Access to objects for other parts of the server. */
  readonly internal: ServerContext;
  /** What discovery and OpenAPI are generated from. */
  readonly served: ServedApi;
}

/** The resources that a registry serves. */
export type ServedApi = Pick<
  RegistryContext,
  'names' | 'release' | 'table' | 'servedBefore' | 'includes' | 'negotiator' | 'auxiliaryProtobuf'
>;

/** Builds the registry of one replica. It only declares metrics until the first request. */
export function createRegistry(options: RegistryOptions): Registry {
  const context = registryContext(options, options.hooksOf ?? (() => undefined));
  const { names, env, release, store, storePrefix } = context;
  return {
    resources: resourceHandler(context),
    audited: auditViews(context),
    countObjects: (info) => storedOf(context, info)?.cache.count(),
    countWatchers(info) {
      const { namespace, name } = info;
      const stored = storedOf(context, info);
      return stored?.cache.watcherCount(stored.type.namespaced ? `${namespace}/${name}` : name);
    },
    servesResource: (info) => {
      const resource = context.table.find(info.group, info.version, info.resource);
      return (
        resource !== undefined && (info.subresource === '' || resource.subresources.has(info.subresource))
      );
    },
    internal: { names, env, release, store, storePrefix, objects: internalObjects(context) },
    served: context,
  };
}

/** The stored resource of a request. */
function storedOf(
  context: RegistryContext,
  { group, version, resource }: ResourceRequest,
): StoredResource | undefined {
  const found = context.table.find(group, version, resource);
  return found === undefined || found.type.virtual === true ? undefined : context.stored(found);
}

export type HooksOf = (type: ResourceType) => WriteHooks | undefined;

function registryContext(options: RegistryOptions, hooksOf: HooksOf): RegistryContext {
  const { names, env, release, store, storePrefix = DEFAULT_STORE_PREFIX } = options;
  const includes = fieldServedIn(release, options.openGates, options.closedGates);
  const codecs = codecCompiler(names, { includes });
  const wholeCodecs = conversionCodecs(names, release, options.openGates);
  const codecsOf = kindCodecs({ names, release, includes }, codecs);
  // Of all fields: the JSON codec drops those that are disabled.
  const protobufCodecs = conversionMessages(names, release, options.openGates);
  const protobufOf = (kind: string): ProtobufCodec =>
    protobufCodecs.compile(auxiliarySchema('meta', 'v1', kind));
  const sharedProtobuf: SharedProtobuf = {
    partial: protobufOf('PartialObjectMetadata'),
    partialList: protobufOf('PartialObjectMetadataList'),
    status: protobufOf('Status'),
  };
  const conversionFailed = (apiVersion: string, error: unknown): void =>
    env.log.error('an object cannot be converted to a version', { apiVersion, error: String(error) });
  const shapes = new Shapes(names, { includes: declaredIn({ release, includes }) });
  const table = new ResourceTable(
    servedDefinitions(options, includes).flatMap((type) =>
      servedResources(type, {
        names,
        release,
        shapes,
        clock: env.clock,
        codecsOf,
        wholeCodecs,
        protobufCodecs,
        sharedProtobuf,
        storePrefix,
        storedAs: options.storedAs ?? 'json',
        conversionFailed,
      }),
    ),
  );
  const stored = withCaches(table, options.cacheOf, hooksOf);
  return {
    names,
    env,
    release,
    features: options.features ?? defaultServerFeatures(release),
    servedBefore: groupVersionsBefore(release, options.types),
    includes,
    store,
    recentWrites: options.recentWrites,
    storePrefix,
    limits: { ...defaultRegistryLimits, ...options.limits },
    table,
    negotiator: new Negotiator(names),
    tokens: new ContinueTokenSource(store, storePrefix, env.random),
    metrics: registryMetrics(env.metrics, names, () => counts(stored, names)),
    strategic: new StrategicMerge(names),
    authorizer: options.access.authorizer,
    admission: options.admission?.({
      resourcesOf: (apiVersion, kind) => ownerResources(table, apiVersion, kind),
    }),
    unchangedApplies: new UnchangedApplies(),
    connector: options.connector,
    tokenIssuer: options.tokenIssuer,
    localPrograms: options.localPrograms ?? {},
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
    virtual: virtualResources(table, {
      ...builtinVirtualResources,
      ...reviewResources(options.access, names),
      ...options.virtual,
    }),
    stored(resource) {
      const found = stored.get(resource);
      if (found === undefined) throw new TypeError(`${resource.type.resource} is not stored`);
      return found;
    },
  };
}

const ownerResources = (table: ResourceTable, apiVersion: string, kind: string): readonly OwnerResource[] =>
  table.all
    .filter((resource) => resource.apiVersion === apiVersion && resource.type.kind === kind)
    .map(({ group, version, type: { resource, namespaced } }) => ({ group, version, resource, namespaced }));

function auxiliarySchema(group: string, version: string, kind: string): StructSchema {
  const declaration = findKind(group, version, kind);
  if (declaration === undefined) throw new TypeError(`there is no kind ${group}/${version} ${kind}`);
  return declaration.schema;
}

/** The handlers of all resources that are not stored; throws `TypeError` where one has none. */
function virtualResources(
  table: ResourceTable,
  handlers: VirtualResources,
): (resource: ServedResource) => VirtualResource {
  const found = new Map<ServedResource, VirtualResource>();
  const missing = (resource: ServedResource): never => {
    throw new TypeError(
      `no handler for ${resource.apiVersion} ${resource.type.resource}, which is not stored`,
    );
  };
  for (const resource of table.all) {
    if (resource.type.virtual === true && resource.verbs.size > 0) {
      found.set(resource, handlers[virtualKey(resource.type)] ?? missing(resource));
    }
  }
  return (resource) => found.get(resource) ?? missing(resource);
}

/** Every stored resource with its cache; all versions of one share it. */
function withCaches(
  table: ResourceTable,
  cacheOf: RegistryOptions['cacheOf'],
  hooksOf: HooksOf,
): ReadonlyMap<ServedResource, StoredResource> {
  const caches = new Map<string, ResourceCache>();
  const stored = new Map<ServedResource, StoredResource>();
  for (const resource of table.all) {
    if (resource.type.virtual === true) continue;
    const cache = caches.get(resource.keyPrefix) ?? cacheOf(resource.type);
    caches.set(resource.keyPrefix, cache);
    const hooks = hooksOf(resource.type);
    stored.set(resource, { ...resource, cache, ...(hooks === undefined ? {} : { hooks }) });
  }
  return stored;
}

function* counts(
  stored: ReadonlyMap<ServedResource, StoredResource>,
  names: Names,
): Generator<{ readonly name: string; readonly count: number }> {
  const counted = new Set<ResourceCache>();
  for (const [resource, { cache }] of stored) {
    if (counted.has(cache)) continue;
    counted.add(cache);
    yield { name: metricName(resource, names), count: cache.count() };
  }
}
