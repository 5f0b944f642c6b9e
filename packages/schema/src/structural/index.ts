export { type FieldPathStep, type FoundField, fieldAt } from './field-path.ts';
export { formatTest } from './formats.ts';
export { readStructural } from './read-structural.ts';
export * from './rules/index.ts';
export { type StructuralKind, structuralKind } from './structural-kind.ts';
export {
  fieldSchema,
  type StructuralSchema,
  someStructure,
  typesOf,
  type ValidationRule,
  type ValueRules,
} from './structural-schema.ts';
export { checkValue, type LazyStructural, StructuralValidator } from './structural-validator.ts';
export { numberText } from './value-type.ts';
