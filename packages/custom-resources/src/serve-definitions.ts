import type { HooksOf, Registry } from '@orch/registry';
import { type StrandedObjectsOptions, strandedObjectsCheck } from './cleanup/stranded-objects.ts';
import { DefinitionController } from './definition-controller.ts';
import { ServedDefinitions, type ServedDefinitionsOptions } from './serving/served-definitions.ts';

/** The watch cache that custom resources are added to, and how it reads their objects. */
export type CustomResourceCache = Pick<ServedDefinitionsOptions, 'cache' | 'cachedResourceOf'>;

/** Checks of the writes of custom resource definitions, for the registry. */
export function definitionHooks(options: StrandedObjectsOptions): HooksOf {
  const hooks = strandedObjectsCheck(options);
  return ({ group, resource }) =>
    group === 'apiextensions' && resource === 'customresourcedefinitions' ? hooks : undefined;
}

export interface ServeDefinitionsOptions
  extends CustomResourceCache,
    Pick<ServedDefinitionsOptions, 'openWebhook' | 'catchUp'> {
  readonly registry: Pick<Registry, 'internal' | 'served' | 'dynamic'>;
}

/** Adds the resources of custom resource definitions to a registry while the controller runs. */
export function serveDefinitions({ registry, ...options }: ServeDefinitionsOptions): DefinitionController {
  const { internal, served, dynamic } = registry;
  const { names, env } = internal;
  const definitions = new ServedDefinitions({ ...options, names, env, dynamic });
  return new DefinitionController({ context: internal, served, definitions });
}
