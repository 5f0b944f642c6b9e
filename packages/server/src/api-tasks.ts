import type { Aggregator } from '@orch/aggregation';
import type { DefinitionController } from '@orch/custom-resources';
import type { PublishedDocuments } from '@orch/discovery';
import { type BackgroundTask, taskOf } from '@orch/program';
import { DanglingSchemas } from './flow-control/dangling-schemas.ts';
import { PolicyTypeChecks } from './policy-checks/policy-type-checks.ts';

/** Background work of the API by the phase of the start in which it begins. */
export interface ApiTasks {
  readonly withCache: readonly BackgroundTask[];
  /** Once the objects that every cluster has are written. */
  readonly afterBootstrap: readonly BackgroundTask[];
}

export interface ApiTaskParts extends PolicyCheckParts {
  readonly definitions: Pick<DefinitionController, 'run'>;
  readonly aggregator: Pick<Aggregator, 'run'>;
  readonly documents: Pick<PublishedDocuments, 'run'>;
  /** Whether the conditions of flow schemas are kept. */
  readonly keepsFlowSchemas: boolean;
}

type PolicyCheckParts = ConstructorParameters<typeof PolicyTypeChecks>[0] & {
  readonly context: ConstructorParameters<typeof DanglingSchemas>[0];
};

/** The table of all background work of the API; the names are those of log entries. */
export function apiTasks(parts: ApiTaskParts): ApiTasks {
  const { definitions, aggregator, documents, keepsFlowSchemas, context, served, catchUp } = parts;
  const policies = new PolicyTypeChecks({ context, served, catchUp });
  const flowSchemas = keepsFlowSchemas ? new DanglingSchemas(context) : undefined;
  return {
    withCache: [
      ['custom resource definitions', (stop) => definitions.run(stop)],
      ['aggregation', (stop) => aggregator.run(stop)],
      ['policy type checks', (stop) => policies.run(stop)],
      ...taskOf('conditions of flow schemas', flowSchemas),
    ],
    afterBootstrap: [['OpenAPI documents', (stop) => documents.run(stop)]],
  };
}
