export {
  fieldSchema,
  type StructuralSchema,
  someStructure,
  typesOf,
  type ValidationRule,
  type ValueRules,
} from '../structural-schema.ts';
export { type FieldPathStep, type FoundField, fieldAt } from './field-path.ts';
export { formatTest } from './formats.ts';
export { readStructural, structuralReading } from './read-structural.ts';
export { type CompiledRule, RuleCompiler } from './rules/index.ts';
export { type StructuralKind, structuralKind } from './structural-kind.ts';
export { type ReadFields, structuralReader } from './structural-reader.ts';
export { type LazyStructural, StructuralValidator } from './structural-validator.ts';
export { numberText } from './value-type.ts';
export { type PlacedValue, ValueValidator, type ValueValidatorOptions } from './value-validator.ts';
