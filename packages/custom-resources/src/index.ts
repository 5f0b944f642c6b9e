export { type StrandedObjectsOptions, strandedObjectsCheck } from './cleanup/stranded-objects.ts';
export { type DefinitionCondition, withConditions } from './definition/condition.ts';
export { DefinitionController, type DefinitionControllerOptions } from './definition-controller.ts';
export { customResource } from './kind/custom-resource-type.ts';
export { ServedDefinitions, type ServedDefinitionsOptions } from './serving/served-definitions.ts';
