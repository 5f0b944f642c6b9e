export { strandedObjectsCheck } from './cleanup/stranded-objects.ts';
export { type DefinitionCondition, withConditions } from './definition/condition.ts';
export { DefinitionController } from './definition-controller.ts';
export { customResource } from './kind/custom-resource-type.ts';
export {
  type CustomResourceCache,
  definitionHooks,
  type ServeDefinitionsOptions,
  serveDefinitions,
} from './serve-definitions.ts';
