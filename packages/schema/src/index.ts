export { codecCompiler, compileCodec } from './codec/compiler.ts';
export { zeroOfScalar } from './codec/scalars.ts';
export { typeMetaFields } from './codec/struct-shape.ts';
export type { Codec, CodecCompiler, CodecOptions, Decoded, DecodeOptions, DecodeProblem } from './codec.ts';
export {
  type FieldOptions,
  f,
  items,
  type ListOptions,
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
export type { OpenApiInput, OpenApiResource, OpenApiSubresource } from './openapi/input.ts';
export { type OpenApiDocument, packedDocument } from './openapi/packed-document.ts';
export { type Budget, BudgetError, budgetOf } from './pattern/budget.ts';
export { compilePattern, type Pattern } from './pattern/pattern.ts';
export { type PeekedMeta, peekMeta } from './peek-meta.ts';
export {
  type ProtobufCodec,
  type ProtobufCompiler,
  protobufCodec,
  protobufCompiler,
} from './protobuf/codec.ts';
export {
  EnvelopeWriter,
  fieldHead,
  isEnvelope,
  messageField,
  messageFieldInPieces,
  openEnvelope,
} from './protobuf/envelope.ts';
export { ProtobufError } from './protobuf/protobuf-error.ts';
export { RawJson } from './protobuf/raw-json.ts';
export type { Remarks } from './protobuf/reader.ts';
export { isGranular, mapTypeOf, publishedValues, reaches } from './release-rules.ts';
export * from './schema.ts';
export {
  isWithResourceVersion,
  type ResourceVersionSplice,
  resourceVersionSplice,
  withResourceVersion,
} from './stored-json.ts';
export {
  type CompiledRule,
  fieldAt,
  fieldSchema,
  numberText,
  RuleCompiler,
  readStructural,
  type StructuralSchema,
  structuralKind,
  structuralReading,
  ValueValidator,
} from './structural/index.ts';
