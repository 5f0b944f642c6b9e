export { fieldSchema, type StructuralSchema } from '../structural-schema.ts';
export { fieldAt } from './field-path.ts';
export { readStructural, structuralReading } from './read-structural.ts';
export { type CompiledRule, RuleCompiler } from './rules/index.ts';
export { structuralKind } from './structural-kind.ts';
export { type FieldsReader, structuralReader } from './structural-reader.ts';
export { numberText } from './value-type.ts';
export { ValueValidator } from './value-validator.ts';
