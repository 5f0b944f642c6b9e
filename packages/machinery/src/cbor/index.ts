export { CborError } from './cbor-error.ts';
export { cborChunks, cborFromJson } from './from-json.ts';
export { type ReadCborOptions, readCbor, readCborInPieces } from './read.ts';
export { writeCbor } from './write.ts';
