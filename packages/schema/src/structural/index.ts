export { formatTest } from './formats.ts';
export { readStructural } from './read-structural.ts';
export {
  type LazyStructural,
  type StructuralKind,
  StructuralValidator,
  structuralKind,
} from './structural-kind.ts';
export {
  memberSchema,
  type StructuralSchema,
  someStructure,
  typesOf,
  type ValidationRule,
  type ValueRules,
} from './structural-schema.ts';
