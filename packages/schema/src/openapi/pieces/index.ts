export { compressedPieces } from './compressed-pieces.ts';
export { gzipOf } from './gzip.ts';
export { compressedPiece, type Encoded, type Piece, storedPiece } from './piece.ts';
