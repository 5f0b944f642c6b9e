export { compressedPieces } from './compressed-pieces.ts';
export { Gzip } from './gzip.ts';
export {
  type Compression,
  compressedPiece,
  type Encoded,
  inflated,
  isStored,
  type Piece,
  storedPiece,
} from './piece.ts';
