export { compressedPieces } from './compressed-pieces.ts';
export { gzipOf } from './gzip.ts';
export { type Compression, compressedPiece, type Encoded, type Piece, storedPiece } from './piece.ts';
