export { codecCompiler, compileCodec } from './codec/compiler.ts';
export { typeMetaFields } from './codec/struct-shape.ts';
export type { Codec, CodecCompiler, CodecOptions, Decoded, DecodeOptions, DecodeProblem } from './codec.ts';
export {
  type FieldOptions,
  f,
  items,
  type ListOptions,
  type MapOptions,
  type StructOptions,
  struct,
  union,
} from './declare.ts';
export { kindDecl } from './expressions/index.ts';
export { type FieldPicker, fieldPicker } from './field-picker.ts';
export * from './lens/index.ts';
export type { DefinitionHome } from './openapi/definition-home.ts';
export { type OpenApi, openApi } from './openapi/documents.ts';
export { ForeignPart, type ForeignSchemas } from './openapi/foreign/foreign-part.ts';
export type {
  OpenApiInput,
  OpenApiKind,
  OpenApiMetaKinds,
  OpenApiResource,
  OpenApiSubresource,
  OpenApiSubresourceType,
} from './openapi/input.ts';
export { type OpenApiDocument, packedDocument } from './openapi/packed-document.ts';
export { type Budget, BudgetError, budgetOf } from './pattern/budget.ts';
export { compilePattern, type Pattern } from './pattern/pattern.ts';
export { type PeekedMeta, peekMeta } from './peek-meta.ts';
export { memoised, type Projection } from './projection.ts';
export {
  type ProtobufCodec,
  type ProtobufCompiler,
  type ProtobufOptions,
  protobufCodec,
  protobufCompiler,
} from './protobuf/codec.ts';
export {
  type Envelope,
  EnvelopeWriter,
  fieldHead,
  isEnvelope,
  messageField,
  openEnvelope,
} from './protobuf/envelope.ts';
export { ProtobufError } from './protobuf/protobuf-error.ts';
export { RawJson } from './protobuf/raw-json.ts';
export type { Remarks } from './protobuf/reader.ts';
export { ProtobufWriter } from './protobuf/writer.ts';
export * from './schema.ts';
export { type ResourceVersionSplice, resourceVersionSplice, withResourceVersion } from './stored-json.ts';
export {
  type CompiledRule,
  type FieldPathStep,
  type FoundField,
  fieldAt,
  fieldSchema,
  formatTest,
  type LazyStructural,
  numberText,
  type PlacedValue,
  RuleCompiler,
  readStructural,
  type StructuralKind,
  type StructuralSchema,
  StructuralValidator,
  someStructure,
  structuralKind,
  structuralReading,
  typesOf,
  type ValidationRule,
  type ValueRules,
  ValueValidator,
  type ValueValidatorOptions,
} from './structural/index.ts';
