export { type MediaRange, parseAccept, parseMediaRange } from './media-range.ts';
export {
  isWatch,
  jsonObjectShapes,
  Negotiator,
  objectShapes,
  type ResourceShapes,
  type Shape,
  wantsPretty,
} from './negotiator.ts';
export { PrettyPrinter, prettyChunks, prettyJson } from './pretty.ts';
export { type ProtobufKind, readProtobuf, writeProtobuf } from './protobuf-kind.ts';
export type { Representation } from './representation.ts';
