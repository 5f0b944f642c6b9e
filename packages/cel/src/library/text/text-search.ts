import type { Evaluation } from '../../functions/evaluation.ts';

/** Up to this length, the platform's search takes time in proportion to the text. */
const SHORT = 3;

/**
 * A string that is looked for. The platform's search takes time in proportion to the product of both lengths when they are
 * malicious (seconds for a megabyte); this one to their sum, by the algorithm of Knuth, Morris and Pratt.
 */
export class TextSearch {
  readonly #part: string;
  /** For each prefix of the searched part, the length of its longest proper suffix that is a prefix too. */
  readonly #borders: Int32Array | undefined;

  /** Accounts for one pass through the text. */
  constructor(part: string, text: string, evaluation: Evaluation) {
    this.#part = part;
    if (part.length <= SHORT || part.length > text.length) return;
    evaluation.work((text.length >> 1) + (part.length >> 1));
    this.#borders = bordersOf(part);
  }

  /** The offset of the first occurrence at or behind an offset; -1 without one. */
  first(text: string, from = 0): number {
    if (this.#part.length > text.length) return -1;
    if (this.#borders === undefined) return text.indexOf(this.#part, from);
    for (const offset of this.#occurrences(text, from)) return offset;
    return -1;
  }

  /** The offset of the last occurrence at or before an offset; -1 without one. */
  last(text: string, until = text.length): number {
    if (this.#part.length > text.length) return -1;
    if (this.#borders === undefined) return text.lastIndexOf(this.#part, until);
    let found = -1;
    for (const offset of this.#occurrences(text, 0)) {
      if (offset > until) break;
      found = offset;
    }
    return found;
  }

  *#occurrences(text: string, from: number): Generator<number> {
    const part = this.#part;
    const borders = this.#borders ?? new Int32Array();
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
      if (part.charCodeAt(matched) === unit) matched++;
      if (matched < part.length) continue;
      yield at - part.length + 1;
      matched = borders[matched - 1] ?? 0;
    }
  }
}

function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    const unit = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}
