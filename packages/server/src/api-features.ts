import type { Aggregator } from '@orch/aggregation';
import type { Authorizer, RbacPolicy } from '@orch/auth';
import type { DefinitionController } from '@orch/custom-resources';
import { discoveryRoutes, openApiRoutes, PublishedDocuments } from '@orch/discovery';
import { type ExplanationOptions, explanationRoutes } from '@orch/explanations';
import { type BackgroundTask, taskOf } from '@orch/program';
import type { FieldHistory, PastObjects, ServedApi, ServerContext } from '@orch/registry';
import type { Route } from '@orch/request';
import { DanglingSchemas } from './flow-control/dangling-schemas.ts';
import { emptyResourcesRoute } from './namespaces/empty-resources.ts';
import { PolicyTypeChecks } from './policy-checks/policy-type-checks.ts';

/** The parts of the API that features are built on. */
export interface FeatureParts {
  readonly options: FeatureOptions;
  readonly context: ServerContext;
  readonly served: ServedApi;
  readonly past: PastObjects;
  readonly authorizer: Authorizer;
  readonly policy: RbacPolicy;
  readonly definitions: DefinitionController;
  readonly aggregator: Aggregator;
  readonly catchUp: DefinitionController['catchUp'];
}

/** Options of the features. */
export interface FeatureOptions {
  /** The records of replicas, for explanations; the paths below `/why` are absent without them. */
  readonly explanations?: ExplanationSources | undefined;
  /** Host and port under which clients reach the servers, for discovery; none when absent. */
  readonly externalAddress?: string | undefined;
  /** Whether the conditions of flow schemas are kept; true when absent. */
  readonly keepsFlowSchemas?: boolean;
}

/** The sources of explanations besides the API. */
export interface ExplanationSources extends Pick<ExplanationOptions, 'remembered' | 'peers' | 'lastHour'> {
  /** The writes of fields, where a history of objects is kept. */
  readonly historyOf?:
    | ((parts: Pick<FeatureParts, 'past' | 'authorizer'>) => FieldHistory | undefined)
    | undefined;
}

/** The part of one feature in the API of a replica. Log entries have the names of tasks. */
interface Feature {
  readonly routes?: readonly Route[];
  /** Paths of groups and versions that are served. */
  readonly apiPaths?: () => readonly string[];
  /** Background work that begins with the watch cache. */
  readonly withCache?: readonly BackgroundTask[];
  /** Background work that begins once the objects that every cluster has are written. */
  readonly afterBootstrap?: readonly BackgroundTask[];
}

/** The features of the API, in the order in which their tasks begin. */
const features: readonly ((parts: FeatureParts) => Feature)[] = [
  ({ definitions }) => ({ withCache: taskOf('custom resource definitions', definitions) }),
  ({ aggregator }) => ({ withCache: taskOf('aggregation', aggregator) }),
  (parts) => ({ withCache: taskOf('policy type checks', new PolicyTypeChecks(parts)) }),
  flowSchemaConditions,
  discovery,
  openApi,
  explanations,
  (parts) => ({ routes: [emptyResourcesRoute(parts)] }),
];

/** The routes and background work of all features. */
export interface ApiFeatures {
  readonly routes: readonly Route[];
  apiPaths(): readonly string[];
  readonly tasks: Required<Pick<Feature, 'withCache' | 'afterBootstrap'>>;
}

export function apiFeatures(parts: FeatureParts): ApiFeatures {
  const all = features.map((feature) => feature(parts));
  return {
    routes: all.flatMap(({ routes = [] }) => routes),
    apiPaths: () => all.flatMap(({ apiPaths }) => apiPaths?.() ?? []),
    tasks: {
      withCache: all.flatMap(({ withCache = [] }) => withCache),
      afterBootstrap: all.flatMap(({ afterBootstrap = [] }) => afterBootstrap),
    },
  };
}

function flowSchemaConditions({ context, options: { keepsFlowSchemas = true } }: FeatureParts): Feature {
  const conditions = keepsFlowSchemas ? new DanglingSchemas(context) : undefined;
  return { withCache: taskOf('conditions of flow schemas', conditions) };
}

function discovery({ served, aggregator, options: { externalAddress } }: FeatureParts): Feature {
  const addresses = externalAddress === undefined ? {} : { addresses: addressesOf(externalAddress) };
  const { routes, paths } = discoveryRoutes({ ...served, extensions: aggregator.extensions, ...addresses });
  return { routes: routes.map((route) => aggregator.route(route)), apiPaths: paths };
}

/** The addresses of servers in discovery. */
const addressesOf = (serverAddress: string) => [{ clientCIDR: '0.0.0.0/0', serverAddress }];

function openApi({ served, aggregator }: FeatureParts): Feature {
  const documents = new PublishedDocuments({ ...served, extensions: aggregator.schemas });
  return {
    routes: openApiRoutes(documents, served),
    afterBootstrap: taskOf('OpenAPI documents', documents),
  };
}

function explanations({ options, past, ...parts }: FeatureParts): Feature {
  if (options.explanations === undefined) return {};
  const { remembered, peers, lastHour, historyOf } = options.explanations;
  const history = historyOf?.({ past, authorizer: parts.authorizer });
  return { routes: explanationRoutes({ ...parts, remembered, peers, history, lastHour }) };
}
