import { type AggregationOptions, Aggregator } from '@orch/aggregation';
import { fieldServedIn } from '@orch/apis';
import { type Authorizer, emptySource, type OpenWebhook, RbacPolicy } from '@orch/auth';
import { type ConnectOptions, createConnector } from '@orch/connect';
import {
  type CustomResourceCache,
  type DefinitionController,
  definitionHooks,
  serveDefinitions,
} from '@orch/custom-resources';
import { discoveryRoutes, openApiRoutes, PublishedDocuments } from '@orch/discovery';
import { type ExplanationOptions, explanationRoutes } from '@orch/explanations';
import {
  createRegistry,
  DEFAULT_STORE_PREFIX,
  type FieldHistory,
  type HooksOf,
  type PastObjects,
  type Registry,
  type RegistryOptions,
} from '@orch/registry';
import type { Route } from '@orch/request';
import {
  defaultServiceRanges,
  type ServiceRanges,
  ServiceReconciler,
  type ServiceReconcilerOptions,
  serviceNetwork,
} from '@orch/service-networking';
import { escalationCheck } from './access/escalation-check.ts';
import {
  type AuthenticationSource,
  ExtensionAuthenticationPublisher,
} from './access/extension-authentication-publisher.ts';
import { keepSystemConfigMap, type SystemConfigMap } from './access/system-config-map.ts';
import { type ApiTasks, apiTasks } from './api-tasks.ts';
import { createBootstrapObjects } from './bootstrap/bootstrap.ts';
import { coreObjects } from './webhooks/core-objects.ts';
import { type CallTracing, webhookOpener } from './webhooks/webhook-opener.ts';

type MakeAdmission = NonNullable<RegistryOptions['admission']>;

/** The parts of the API for admission plugins. */
type AdmissionParts = Parameters<MakeAdmission>[0] & { readonly openWebhook: OpenWebhook };

export interface ApiOptions extends Omit<RegistryOptions, 'hooksOf' | 'connector' | 'catchUp' | 'admission'> {
  /** Makes the admission plugins; none when absent. */
  readonly admission?: ((parts: AdmissionParts) => ReturnType<MakeAdmission>) | undefined;
  readonly customResources: CustomResourceCache;
  /** Connections to nodes, pods and services. */
  readonly connect?: ConnectOptions;
  /** Connections to extension API servers. */
  readonly aggregation?: AggregationOptions;
  /** Ranges of the addresses and ports of services; the default ranges when absent. */
  readonly services?: ServiceRanges;
  /** The records of replicas, for explanations; the paths below `/why` are absent without them. */
  readonly explanations?: ExplanationSources | undefined;
  /** Host and port under which clients reach the servers, for discovery; none when absent. */
  readonly externalAddress?: string | undefined;
  /** Whether the conditions of flow schemas are kept; true when absent. */
  readonly keepsFlowSchemas?: boolean;
  /** Spans of the calls of webhooks. */
  readonly webhookTracing?: CallTracing | undefined;
}

/** The sources of explanations besides the API. */
export interface ExplanationSources extends Pick<ExplanationOptions, 'remembered' | 'peers'> {
  /** The writes of fields, where a history of objects is kept. */
  readonly historyOf?:
    | ((parts: { readonly past: PastObjects; readonly authorizer: Authorizer }) => FieldHistory | undefined)
    | undefined;
}

/** The API of one replica: the registry and the parts built on it. */
export interface Api extends Omit<Registry, 'internal' | 'served' | 'dynamic'> {
  /** Discovery and OpenAPI. */
  readonly routes: readonly Route[];
  /** Paths of the groups and versions that are served. */
  apiPaths(): readonly string[];
  /** Creates the missing objects that every cluster has. Needs the store only. */
  bootstrap(signal: AbortSignal): Promise<void>;
  /** Serves the resources of custom resource definitions. */
  readonly definitions: DefinitionController;
  /** Background work on the objects of the API. */
  readonly tasks: ApiTasks;
  /** Publishes the authentication configuration for extension API servers. */
  extensionAuthenticationPublisher(source: AuthenticationSource): ExtensionAuthenticationPublisher;
  /** Keeps a config map of the servers in the system namespace. */
  keepSystemConfigMap(map: SystemConfigMap, signal: AbortSignal): Promise<void>;
  /** Background work on services: repair of allocations, the default service and its endpoints. */
  serviceReconciler(options: ServiceReconcilerOptions): ServiceReconciler;
}

/** Joins registry, discovery, OpenAPI, bootstrap, access and services. Nothing runs until it is called. */
export function createApi(apiOptions: ApiOptions): Api {
  const {
    services,
    connect,
    customResources,
    admission,
    aggregation,
    webhookTracing,
    explanations,
    externalAddress,
    keepsFlowSchemas = true,
    ...options
  } = apiOptions;
  const network = serviceNetwork({
    ...options,
    ranges: services ?? defaultServiceRanges(),
    storePrefix: options.storePrefix ?? DEFAULT_STORE_PREFIX,
    includes: fieldServedIn(options.release, options.openGates, options.closedGates),
  });
  const { env, names, access } = options;
  const policy = access.policy ?? new RbacPolicy(emptySource, names);
  const ofDefinitions = definitionHooks({ ...options, clock: env.clock });
  const hooksOf: HooksOf = (type) =>
    network.hooksOf(type) ?? ofDefinitions(type) ?? escalationCheck(type, { ...access, policy, names });
  const catchUp = (signal: AbortSignal) => definitions.catchUp(signal);
  const { internal, served, dynamic, ...registry } = createRegistry({
    ...options,
    hooksOf,
    catchUp,
    connector: createConnector(env, names, connect),
    admission: (parts) => admission?.({ ...parts, openWebhook: (address) => openWebhook(address) }),
  });
  const openWebhook = webhookOpener({
    objects: coreObjects(internal),
    random: env.random,
    clock: env.clock,
    tracing: webhookTracing,
    metrics: env.metrics,
  });
  const definitions = serveDefinitions({
    ...customResources,
    registry: { internal, served, dynamic },
    catchUp,
    openWebhook,
  });
  const aggregator = new Aggregator({
    ...aggregation,
    context: internal,
    table: served.table,
    catchUp,
  });
  const { extensions, schemas } = aggregator;
  const parts = { context: internal, served, catchUp };
  const discovery = discoveryRoutes({ ...served, extensions, ...addressesOf(externalAddress) });
  const documents = new PublishedDocuments({ ...served, extensions: schemas });
  return {
    ...registry,
    resources: aggregator.resources(registry.resources),
    servesResource: (info) => registry.servesResource(info) || aggregator.servesResource(info),
    routes: [
      ...discovery.routes.map((route) => aggregator.route(route)),
      ...openApiRoutes(documents, served),
      ...whyRoutes(explanations, registry, { context: internal, served, ...access, policy }),
    ],
    apiPaths: discovery.paths,
    definitions,
    tasks: apiTasks({ ...parts, definitions, aggregator, documents, keepsFlowSchemas }),
    bootstrap: (signal) => createBootstrapObjects({ ...internal, served }, signal),
    extensionAuthenticationPublisher: (source) => new ExtensionAuthenticationPublisher(internal, source),
    keepSystemConfigMap: (map, signal) => keepSystemConfigMap(internal, map, signal),
    serviceReconciler: (reconciler) => new ServiceReconciler(internal, network, reconciler),
  };
}

/** The addresses of servers in discovery. */
const addressesOf = (external: string | undefined) =>
  external === undefined ? {} : { addresses: [{ clientCIDR: '0.0.0.0/0', serverAddress: external }] };

/** The paths of explanations; none where the replica remembers nothing. */
function whyRoutes(
  explanations: ApiOptions['explanations'],
  { past }: Pick<Registry, 'past'>,
  parts: Omit<ExplanationOptions, 'remembered' | 'peers' | 'history'>,
): readonly Route[] {
  if (explanations === undefined) return [];
  const { remembered, peers, historyOf } = explanations;
  const history = historyOf?.({ past, authorizer: parts.authorizer });
  return explanationRoutes({ ...parts, remembered, peers, history });
}
