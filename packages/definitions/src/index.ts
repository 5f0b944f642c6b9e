export { DefinitionController, type DefinitionControllerOptions } from './definition-controller.ts';
export { ServedDefinitions, type ServedDefinitionsOptions } from './served-definitions.ts';
export { type StrandedObjectsOptions, strandedObjectsCheck } from './stranded-objects.ts';
