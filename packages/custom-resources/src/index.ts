export {
  conditionsIn,
  type DefinitionCondition,
  hasCondition,
  withConditions,
} from './definition/condition.ts';
export {
  approvalCondition,
  type DeletionProgress,
  establishedCondition,
  nonStructuralCondition,
  terminatingCondition,
} from './definition/conditions.ts';
export { acceptNames, type NamesDecision, type TakenNames, takenNames } from './definition/names-accepted.ts';
export { customTable } from './kind/columns.ts';
export { type CustomResource, type CustomVersion, customResource } from './kind/custom-resource-type.ts';
export { PackedSchema } from './kind/packed-schema.ts';
export { customScale } from './kind/scale.ts';
export { customFields } from './kind/selectable-fields.ts';
