export { codecCompiler, compileCodec } from './codec/compiler.ts';
export type { Codec, CodecCompiler, CodecOptions, Decoded, DecodeOptions, DecodeProblem } from './codec.ts';
export {
  type FieldOptions,
  f,
  items,
  type ListOptions,
  type MapOptions,
  type StructOptions,
  struct,
} from './declare.ts';
export { type OpenApi, type OpenApiDocument, openApi } from './openapi/documents.ts';
export type {
  OpenApiInput,
  OpenApiKind,
  OpenApiMetaKinds,
  OpenApiResource,
  OpenApiSubresource,
  OpenApiSubresourceForm,
} from './openapi/input.ts';
export { type PeekedMeta, peekMeta } from './peek-meta.ts';
export { memoised, type Projection } from './projection.ts';
export * from './schema.ts';
export { type ResourceVersionSplice, resourceVersionSplice, withResourceVersion } from './stored-json.ts';
