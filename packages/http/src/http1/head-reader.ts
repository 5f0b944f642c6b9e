import type { HttpLimits } from '../shared/limits.ts';
import {
  checkTogether,
  type HeaderBlock,
  type HeadProblem,
  isProblem,
  parseHeaderBlock,
  parseRequestLine,
  type RequestLine,
} from './head.ts';

/** A complete head; `end` is the index of the byte after it. */
export interface Head {
  readonly line: RequestLine;
  readonly block: HeaderBlock;
  readonly end: number;
}

const CR = 0x0d;
const LF = 0x0a;
const headEnd = Buffer.from('\r\n\r\n');

/**
 * Extracts the heads of requests from the bytes of one connection. Clients repeat the same header fields:
 * a block that equals the previous one is not parsed again, and its frozen headers are the same object.
 */
export class HeadReader {
  readonly #limits: HttpLimits;
  #scanned = 0;
  #lastText = '';
  #lastBlock: HeaderBlock | undefined;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
  }

  /** The head at the start of `input`; undefined while it is incomplete. */
  take(input: Buffer): Head | HeadProblem | undefined {
    // One empty line before a request is ignored, as the standard requires.
    const start = input[0] === CR && input[1] === LF ? 2 : 0;
    const end = input.indexOf(headEnd, Math.max(start, this.#scanned - 3));
    if (end < 0) {
      this.#scanned = input.length;
      return this.#incomplete(input);
    }
    this.#scanned = 0;
    if (end > this.#limits.maxHeadBytes) return tooLarge;
    return this.#read(input, start, end);
  }

  #incomplete(input: Buffer): HeadProblem | undefined {
    if (input.length > this.#limits.maxHeadBytes) return tooLarge;
    const feed = input.indexOf(LF);
    if (feed === 0 || (feed > 0 && input[feed - 1] !== CR)) {
      return { status: 400, problem: 'lines must end in CR LF' };
    }
    return undefined;
  }

  #read(input: Buffer, start: number, end: number): Head | HeadProblem {
    const text = input.toString('latin1', start, end + 2);
    const lineEnd = text.indexOf('\r\n');
    const line = parseRequestLine(text.slice(0, lineEnd));
    if (isProblem(line)) return line;
    const block = this.#block(text.slice(lineEnd + 2));
    if (isProblem(block)) return block;
    return checkTogether(line, block) ?? { line, block, end: end + 4 };
  }

  #block(text: string): HeaderBlock | HeadProblem {
    if (this.#lastBlock !== undefined && text === this.#lastText) return this.#lastBlock;
    const block = parseHeaderBlock(text, this.#limits.maxHeaderFields);
    if (!isProblem(block)) {
      this.#lastText = text;
      this.#lastBlock = block;
    }
    return block;
  }
}

const tooLarge: HeadProblem = { status: 431, problem: 'the head of the request is too large' };
