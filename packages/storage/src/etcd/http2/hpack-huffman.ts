import { ErrorCode, Http2Error } from './constants.ts';

/**
 * Lengths in bits of the code of every byte value, RFC 7541 appendix B. The code is canonical: codes of one length are
 * consecutive in the order of their symbols, so that the lengths define it.
 */
const codeLengths: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
  8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
  13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
  22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
  22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
  25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
];
const END_OF_STRING = 256;
const END_OF_STRING_BITS = 30;

/** Decodes Huffman-coded strings (RFC 7541 section 5.2) with a tree. */
export class HuffmanDecoder {
  /** Two entries a node: the next node for 0 and for 1, or `-1 - symbol` at a leaf; 0 is absent. */
  readonly #nodes: Int16Array;

  constructor() {
    this.#nodes = buildTree();
  }

  /** The string encoded in `bytes[start, end)`, one character per byte. */
  decode(bytes: Buffer, start: number, end: number): string {
    const nodes = this.#nodes;
    const symbols: number[] = [];
    let node = 0;
    let pendingBits = 0;
    let pendingOnes = true;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      for (let shift = 7; shift >= 0; shift--) {
        const bit = (byte >> shift) & 1;
        const next = nodes[2 * node + bit] as number;
        pendingBits++;
        pendingOnes &&= bit === 1;
        if (next > 0) {
          node = next;
          continue;
        }
        if (next === 0 || -1 - next === END_OF_STRING) throw invalid('a code that no byte has');
        symbols.push(-1 - next);
        node = 0;
        pendingBits = 0;
        pendingOnes = true;
      }
    }
    if (pendingBits > 7 || !pendingOnes) throw invalid('bad padding');
    return Buffer.from(symbols).toString('latin1');
  }
}

function buildTree(): Int16Array {
  const symbols = [...codeLengths.keys(), END_OF_STRING];
  const lengthOf = (symbol: number) => codeLengths[symbol] ?? END_OF_STRING_BITS;
  symbols.sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
  const nodes = new Int16Array(2 * symbols.length);
  let used = 1;
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    code <<= lengthOf(symbol) - length;
    length = lengthOf(symbol);
    let slot = 0;
    for (let shift = length - 1; shift >= 0; shift--) {
      slot += (code >> shift) & 1;
      if (shift === 0) break;
      if (nodes[slot] === 0) nodes[slot] = used++;
      slot = 2 * (nodes[slot] as number);
    }
    nodes[slot] = -1 - symbol;
    code++;
  }
  return nodes;
}

function invalid(reason: string): Http2Error {
  return new Http2Error(ErrorCode.compressionError, `Huffman coding: ${reason}`);
}
