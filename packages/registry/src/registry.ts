import type { AdmissionChain, OwnerResource, PluginParts } from '@orch/admission';
import {
  defaultServerFeatures,
  groupVersionsBefore,
  type IsEnabled,
  type Release,
  type ResourceType,
  type ServedType,
  type ServerFeatures,
} from '@orch/apis';
import { StrategicMerge } from '@orch/apply';
import type { TokenIssuer } from '@orch/auth';
import type { ResourceCache } from '@orch/cache';
import type { Env, Names } from '@orch/machinery';
import { type Handler, Negotiator, type ResourceContext, type ResourceRequest } from '@orch/request';
import type { Store } from '@orch/storage';
import { type AuditViews, auditViews } from './audit-views.ts';
import { objectCommitter } from './commit/object-committer.ts';
import type { Connector } from './context/connector.ts';
import type { LocalPrograms } from './context/local-programs.ts';
import type { RegistryLimits } from './context/paths.ts';
import type { RegistryContext } from './context/registry-context.ts';
import type { Threads } from './context/threads.ts';
import { type VirtualResource, type VirtualResources, virtualKey } from './context/virtual-resource.ts';
import { ContinueTokenSource } from './continue-token/continue-token-source.ts';
import type { StoredEncoding } from './convert/storage-codec.ts';
import { type CatchUp, resourceHandler } from './dispatcher.ts';
import { internalObjects, type ServerContext } from './internal/internal-objects.ts';
import { kindObjects } from './internal/kind-objects.ts';
import { storedQuotas } from './internal/stored-quotas.ts';
import { kindCompiler, type SchemaCompilers } from './kind-compiler.ts';
import { type PastObjects, pastObjects } from './past/past-objects.ts';
import { cachedObject } from './resource/cached-object.ts';
import type { RecentWrites } from './resource/cached-resource.ts';
import type { ChangeRecorder } from './resource/change-recorder.ts';
import { registryMetrics } from './resource/registry-metrics.ts';
import { type HooksOf, ResourceTable, StoredResources } from './resource/resource-table.ts';
import { servedDefinitions } from './resource/served-definitions.ts';
import { keyOf, type ServedResource, type StoredResource } from './resource/served-resource.ts';
import { DEFAULT_STORE_PREFIX } from './resource/store-keys.ts';
import { UnchangedApplies } from './resource/unchanged-applies.ts';
import { VersionedResources } from './subresources/versioned-resources.ts';
import { builtinVirtualResources } from './virtual/builtin-virtual-resources.ts';
import { type Access, reviewResources } from './virtual/reviews/review-resources.ts';
import { YamlParser } from './yaml/yaml-parser.ts';

const defaultRegistryLimits: RegistryLimits = {
  bodyBytes: 3 * 1024 * 1024,
  minRequestTimeoutMs: 1_800_000,
  expirySeconds: 3600,
  deleteCollectionWorkers: 8,
};

export interface RegistryOptions {
  readonly names: Names;
  /** Resource definitions; those that are not part of `release` are ignored. */
  readonly types: readonly ResourceType[];
  readonly store: Store;
  /** The cache of a stored resource. Called when a version of it is added, and must be cheap. */
  readonly cacheOf: (type: ResourceType) => ResourceCache;
  /** Shared with the cached resources, which then need not decode the writes of this server. */
  readonly recentWrites?: RecentWrites;
  /** Records the writes of all objects; no history is kept when absent. */
  readonly recorder?: ChangeRecorder | undefined;
  /** The threads of the process, when it has several. */
  readonly threads?: Threads | undefined;
  readonly env: Env;
  readonly release: Release;
  /** Feature gates that enable fields before the release that enables them by default. */
  readonly openGates?: ReadonlySet<string>;
  /** Feature gates that disable fields that the release enables by default. */
  readonly closedGates?: ReadonlySet<string>;
  /** Whether containers may be privileged; true when absent. */
  readonly allowPrivileged?: boolean;
  /** Compilers for the naming, the release and the gates, where other parts of the process use them too. */
  readonly compilers?: SchemaCompilers;
  /** Server features; the defaults of the release when absent. */
  readonly features?: ServerFeatures;
  /** Reports which versions of the release are served; its defaults when absent. */
  readonly isEnabled?: IsEnabled;
  /** Completes reviews. */
  readonly access: Access;
  /** Handlers of resources that are not stored, besides those that every registry has. */
  readonly virtual?: VirtualResources;
  /** Prefix of all keys of the registry in the store, with a slash at its end; `/registry/` when absent. */
  readonly storePrefix?: string;
  /** The encoding of objects in the store; every encoding can be read. JSON when absent. */
  readonly storedAs?: StoredEncoding;
  readonly limits?: Partial<RegistryLimits>;
  /** Serves the subresources that connect to nodes, pods and services. */
  readonly connector: Connector;
  /** Waits for resources that other servers serve already; absent when the set of resources is fixed. */
  readonly catchUp?: CatchUp | undefined;
  /** Hooks of a kind around every commit of its objects; none when absent. */
  readonly hooksOf?: HooksOf;
  /** Makes the admission plugins; none when absent. */
  readonly admission?: ((parts: AdmissionParts) => AdmissionChain | undefined) | undefined;
  /** Programs that run in this process, for the status of components; none when absent. */
  readonly localPrograms?: LocalPrograms | undefined;
  /** The program of the thread that parses large bodies of YAML; they are parsed at once when absent. */
  readonly yamlThread?: URL | undefined;
  /** Issues tokens of service accounts; there is no token subresource when absent. */
  readonly tokenIssuer?: TokenIssuer | undefined;
}

/** The parts that the registry provides to admission plugins. */
export type AdmissionParts = Pick<PluginParts, 'resourcesOf' | 'objectsOf' | 'quotas' | 'createNamespace'>;

/** Serves resources, and gives other parts of the server access to objects. */
export interface Registry {
  /** Serves every path below `/api/<version>/` and `/apis/<group>/<version>/`. */
  readonly resources: Handler<ResourceContext>;
  servesResource(info: ResourceRequest): boolean;
  /** Number of objects of the resource of a request; undefined for a resource that is not stored. */
  countObjects(info: ResourceRequest): number | undefined;
  /** Number of watchers that a write of this resource notifies; undefined for a resource that is not stored. */
  countWatchers(info: ResourceRequest): number | undefined;
  /** Size of the JSON of the object that a request names, or of all objects of its resource; undefined unless they are in the cache. */
  countBytes(info: ResourceRequest): number | undefined;
  /** Replaces, adds and removes resources while the server runs. */
  readonly dynamic: DynamicResources;
  /** How audit events decode bodies, and which requests they mark as deprecated. */
  readonly audited: AuditViews;
  /** Earlier states of objects, in the served versions. */
  readonly past: PastObjects;
  /** Access to objects for other parts of the server. */
  readonly internal: ServerContext;
  /** The resources from which discovery and OpenAPI are generated. */
  readonly served: ServedApi;
}

/** Resources that are added and removed while the server runs: those of custom resource definitions. */
export interface DynamicResources {
  /**
   * Serves `next` in the place of `previous` from the next request on; either may be undefined. Requests that are being
   * served keep the resource they began with. Throws `TypeError` where a version of `next` is declared by another.
   */
  replace(previous: DynamicResource | undefined, next: ServedType | undefined): DynamicResource;
}

/** The versions of a resource that `DynamicResources.replace` added. */
export type DynamicResource = readonly ServedResource[];

/** The resources that a registry serves. */
export type ServedApi = Pick<
  RegistryContext,
  | 'names'
  | 'env'
  | 'release'
  | 'features'
  | 'table'
  | 'servedBefore'
  | 'includes'
  | 'negotiator'
  | 'auxiliaryProtobuf'
>;

/** Creates the registry of one replica. Until the first request, it only declares metrics. */
export function createRegistry(options: RegistryOptions): Registry {
  const context = registryContext(options);
  const { names, env, release, store, storePrefix } = context;
  return {
    resources: resourceHandler(context, options.catchUp),
    dynamic: {
      replace(removed = [], next) {
        const added = next === undefined ? [] : context.resourcesOf(next);
        context.table.change({ removed, added });
        return added;
      },
    },
    audited: auditViews(context),
    past: pastObjects(context, options.catchUp),
    countObjects: (info) => storedOf(context, info)?.cache.count(),
    countWatchers(info) {
      const { namespace, name } = info;
      const stored = storedOf(context, info);
      return stored?.cache.watcherCount(stored.type.namespaced ? `${namespace}/${name}` : name);
    },
    countBytes(info) {
      const stored = storedOf(context, info);
      if (stored === undefined) return undefined;
      return info.name === '' ? stored.cache.bytes() : cachedObject(stored, keyOf(stored, info))?.size;
    },
    servesResource: (info) => {
      const resource = context.table.find(info.group, info.version, info.resource);
      return (
        resource !== undefined && (info.subresource === '' || resource.subresources.has(info.subresource))
      );
    },
    internal: {
      names,
      env,
      release,
      store,
      storePrefix,
      objects: internalObjects({ ...context, admission: undefined }),
    },
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

function registryContext(options: RegistryOptions): RegistryContext {
  const { names, env, release, store, storePrefix = DEFAULT_STORE_PREFIX } = options;
  const kinds = kindCompiler(options);
  const table = new ResourceTable(servedDefinitions(options, kinds.includes).flatMap(kinds.resourcesOf));
  const stored = new StoredResources(table, options);
  const versioned = new VersionedResources({ ...kinds, names, table });
  const limits = { ...defaultRegistryLimits, ...options.limits };
  const { recentWrites, recorder, threads, features = defaultServerFeatures(release) } = options;
  const context: RegistryContext = {
    ...kinds,
    names,
    env,
    release,
    features,
    servedBefore: groupVersionsBefore(release, options.types),
    store,
    recentWrites,
    recorder,
    threads,
    committer: objectCommitter({
      ...{ env, limits, names, table, store, storePrefix, recentWrites, recorder, threads },
    }),
    storePrefix,
    limits,
    table,
    versioned,
    negotiator: new Negotiator(names, features),
    tokens: new ContinueTokenSource(store, storePrefix, env.random),
    metrics: registryMetrics(env.metrics, names, () => stored.counts(names)),
    strategic: new StrategicMerge(names),
    authorizer: options.access.authorizer,
    admission: options.admission?.({
      resourcesOf: (apiVersion, kind) => ownerResources(table, apiVersion, kind),
      objectsOf: kindObjects({ table, versioned, stored: (resource) => stored.of(resource) }),
      quotas: storedQuotas(() => context),
      // Plugins are created with the registry, which is complete when they write.
      createNamespace: (name, signal) => createNamespace(context, name, signal),
    }),
    unchangedApplies: new UnchangedApplies(),
    yaml: options.yamlThread === undefined ? undefined : new YamlParser(options.yamlThread, env.clock),
    connector: options.connector,
    tokenIssuer: options.tokenIssuer,
    localPrograms: options.localPrograms ?? {},
    virtual: virtualResources(table, {
      ...builtinVirtualResources,
      ...reviewResources(options.access, names),
      ...options.virtual,
    }),
    stored: (resource) => stored.of(resource),
  };
  return context;
}

async function createNamespace(context: RegistryContext, name: string, signal: AbortSignal): Promise<void> {
  const namespaces = internalObjects(context).resource('', 'namespaces');
  await namespaces?.create({ namespace: '', name }, { ...namespaces.typeMeta, metadata: {} }, signal);
}

const ownerResources = (table: ResourceTable, apiVersion: string, kind: string): readonly OwnerResource[] =>
  table.all
    .filter((resource) => resource.apiVersion === apiVersion && resource.type.kind === kind)
    .map(({ group, version, type: { resource, namespaced } }) => ({ group, version, resource, namespaced }));

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
