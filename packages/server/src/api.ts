import { type AggregationOptions, Aggregator } from '@orch/aggregation';
import { fieldServedIn } from '@orch/apis';
import { emptySource, type OpenWebhook, RbacPolicy } from '@orch/auth';
import { type ConnectOptions, createConnector } from '@orch/connect';
import {
  type CustomResourceCache,
  type DefinitionController,
  definitionHooks,
  serveDefinitions,
} from '@orch/custom-resources';
import {
  createRegistry,
  DEFAULT_STORE_PREFIX,
  type HooksOf,
  type Registry,
  type RegistryOptions,
} from '@orch/registry';
import {
  defaultServiceRanges,
  type ServiceRanges,
  ServiceReconciler,
  type ServiceReconcilerOptions,
  serviceNetwork,
} from '@orch/service-networking';
import { adminAccessCheck } from './access/admin-access-check.ts';
import { escalationCheck } from './access/escalation-check.ts';
import {
  type AuthenticationSource,
  ExtensionAuthenticationPublisher,
} from './access/extension-authentication-publisher.ts';
import { keepSystemConfigMap, type SystemConfigMap } from './access/system-config-map.ts';
import { type ApiFeatures, apiFeatures, type FeatureOptions } from './api-features.ts';
import { createBootstrapObjects } from './bootstrap/bootstrap.ts';
import { logStreamsOf } from './requests/log-streams.ts';
import { coreObjects } from './webhooks/core-objects.ts';
import { type CallTracing, webhookOpener } from './webhooks/webhook-opener.ts';

type MakeAdmission = NonNullable<RegistryOptions['admission']>;

/** The parts of the API for admission plugins. */
type AdmissionParts = Parameters<MakeAdmission>[0] & { readonly openWebhook: OpenWebhook };

export interface ApiOptions
  extends FeatureOptions,
    Omit<RegistryOptions, 'hooksOf' | 'connector' | 'catchUp' | 'admission'> {
  /** Makes the admission plugins; none when absent. */
  readonly admission?: ((parts: AdmissionParts) => ReturnType<MakeAdmission>) | undefined;
  readonly customResources: CustomResourceCache;
  /** Connections to nodes, pods and services. */
  readonly connect?: ConnectOptions;
  /** Connections to extension API servers. */
  readonly aggregation?: AggregationOptions;
  /** Ranges of the addresses and ports of services; the default ranges when absent. */
  readonly services?: ServiceRanges;
  /** Spans of the calls of webhooks. */
  readonly webhookTracing?: CallTracing | undefined;
  /** Calls webhooks; over HTTPS when absent. */
  readonly openWebhook?: OpenWebhook | undefined;
}

/** The API of one replica: the registry and everything that is built on it. */
export interface Api extends Omit<Registry, 'internal' | 'served' | 'dynamic'>, ApiFeatures {
  /** Creates the missing objects that every cluster has. Needs the store only. */
  bootstrap(signal: AbortSignal): Promise<void>;
  /** Serves the resources of custom resource definitions. */
  readonly definitions: DefinitionController;
  /** Publishes the authentication configuration for extension API servers. */
  extensionAuthenticationPublisher(source: AuthenticationSource): ExtensionAuthenticationPublisher;
  /** Keeps a config map of the servers in the system namespace. */
  keepSystemConfigMap(map: SystemConfigMap, signal: AbortSignal): Promise<void>;
  /** Background work on services: repair of allocations, the default service and its endpoints. */
  serviceReconciler(options: ServiceReconcilerOptions): ServiceReconciler;
}

/** Joins the registry with the features of `api-features.ts`. Nothing runs until it is called. */
export function createApi(apiOptions: ApiOptions): Api {
  const { services, connect, customResources, admission, aggregation, webhookTracing, ...options } =
    apiOptions;
  const { env, names, access } = options;
  const policy = access.policy ?? new RbacPolicy(emptySource, names);
  const includes = fieldServedIn(options.release, options.openGates, options.closedGates);
  const network = serviceNetwork({
    ...options,
    ranges: services ?? defaultServiceRanges(),
    storePrefix: options.storePrefix ?? DEFAULT_STORE_PREFIX,
    objects: () => internal.objects,
    includes,
  });
  const catchUp = (signal: AbortSignal) => definitions.catchUp(signal);
  const { internal, served, dynamic, ...registry } = createRegistry({
    ...options,
    hooksOf: firstOf([
      network.hooksOf,
      definitionHooks({ ...options, clock: env.clock }),
      (type) => escalationCheck(type, { ...access, policy, names }),
      (type) => adminAccessCheck(type, { ...options, objects: () => internal.objects }),
    ]),
    catchUp,
    connector: createConnector(env, names, {
      logStreams: logStreamsOf(options.release, includes),
      ...connect,
    }),
    admission: (parts) => admission?.({ ...parts, openWebhook: (address) => openWebhook(address) }),
  });
  const openWebhook =
    apiOptions.openWebhook ??
    webhookOpener({
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
  const aggregator = new Aggregator({ ...aggregation, context: internal, table: served.table, catchUp });
  const { past } = registry;
  const parts = { ...access, policy, context: internal, served, past, definitions, aggregator, catchUp };
  return {
    ...registry,
    ...apiFeatures({ ...parts, options }),
    resources: aggregator.resources(registry.resources),
    servesResource: (info) => registry.servesResource(info) || aggregator.servesResource(info),
    definitions,
    bootstrap: (signal) => createBootstrapObjects({ ...internal, served }, signal),
    extensionAuthenticationPublisher: (source) => new ExtensionAuthenticationPublisher(internal, source),
    keepSystemConfigMap: (map, signal) => keepSystemConfigMap(internal, map, signal),
    serviceReconciler: (reconciler) => new ServiceReconciler(internal, network, reconciler),
  };
}

/** The hooks of a kind: those of the first feature that has some. */
const firstOf =
  (all: readonly HooksOf[]): HooksOf =>
  (type) => {
    for (const hooksOf of all) {
      const hooks = hooksOf(type);
      if (hooks !== undefined) return hooks;
    }
    return undefined;
  };
