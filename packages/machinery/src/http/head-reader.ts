import {
  type HeaderFields,
  type HeadProblem,
  headProblem,
  isProblem,
  parseHeaderFields,
} from './header-fields.ts';

export interface HeadLimits {
  readonly maxHeadBytes: number;
  readonly maxHeaderFields: number;
}

/** A complete head; `end` is the index of the byte after it. */
export interface Head<Line, Block> {
  readonly line: Line;
  readonly block: Block;
  readonly end: number;
}

/** The meaning of the heads of one direction: requests or responses. */
export interface HeadGrammar<Line extends object, Block extends object> {
  /** Fields that must not be repeated; those that parsers disagree about when absent. */
  readonly singular?: ReadonlySet<string>;
  /** Reads the first line, without its end. */
  line(text: string): Line | HeadProblem;
  /** The parsed header fields; shared between heads that differ only in their first line. */
  block(fields: HeaderFields): Block | HeadProblem;
  /** Conditions on both together. */
  together(line: Line, block: Block): HeadProblem | undefined;
}

const CR = 0x0d;
const LF = 0x0a;
const headEnd = Buffer.from('\r\n\r\n');

/**
 * Extracts heads from the bytes of one connection. Peers repeat the same header fields: a block that equals the previous one is
 * not parsed again.
 */
export class HeadReader<Line extends object, Block extends object> {
  readonly #limits: HeadLimits;
  readonly #grammar: HeadGrammar<Line, Block>;
  #scanned = 0;
  #lastText = '';
  #lastBlock: Block | undefined;

  constructor(limits: HeadLimits, grammar: HeadGrammar<Line, Block>) {
    this.#limits = limits;
    this.#grammar = grammar;
  }

  /** The head at the start of `input`; undefined while it is incomplete. */
  take(input: Buffer): Head<Line, Block> | HeadProblem | undefined {
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
    return feed === 0 || (feed > 0 && input[feed - 1] !== CR)
      ? headProblem(400, 'lines must end in CR LF')
      : undefined;
  }

  #read(input: Buffer, start: number, end: number): Head<Line, Block> | HeadProblem {
    const text = input.toString('latin1', start, end + 2);
    const lineEnd = text.indexOf('\r\n');
    const line = this.#grammar.line(text.slice(0, lineEnd));
    if (isProblem(line)) return line;
    const block = this.#block(text.slice(lineEnd + 2));
    if (isProblem(block)) return block;
    return this.#grammar.together(line, block) ?? { line, block, end: end + 4 };
  }

  #block(text: string): Block | HeadProblem {
    if (this.#lastBlock !== undefined && text === this.#lastText) return this.#lastBlock;
    const fields = parseHeaderFields(text, this.#limits.maxHeaderFields, this.#grammar.singular);
    if (isProblem(fields)) return fields;
    const block = this.#grammar.block(fields);
    if (!isProblem(block)) {
      this.#lastText = text;
      this.#lastBlock = block;
    }
    return block;
  }
}

const tooLarge = headProblem(431, 'the head of the message is too large');
