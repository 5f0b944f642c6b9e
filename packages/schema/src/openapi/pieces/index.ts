export { compressedPieces, PIECE_BYTES } from './compressed-pieces.ts';
export { Gzip } from './gzip.ts';
export { type Compression, type Encoded, inflated, type Piece, storedPiece } from './piece.ts';
