export { type MediaRange, parseAccept, parseMediaRange } from './media-range.ts';
export {
  isWatch,
  jsonObjectShapes,
  Negotiator,
  objectShapes,
  type ResourceShapes,
  type ServedFormats,
  type Shape,
  wantsPretty,
} from './negotiator.ts';
export { PrettyPrinter, prettyChunks, prettyJson } from './pretty.ts';
export { type ProtobufKind, readProtobuf, readProtobufInPieces, writeProtobuf } from './protobuf-kind.ts';
export { CBOR, CBOR_SEQUENCE, type Representation } from './representation.ts';
