import type { Work } from '../concurrency/index.ts';
import { stringEnd } from './scan.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
/** Opening brackets have no bit of these, closing ones one more than their partners. */
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const TO_CLOSING = 2;

/** Tokens that are examined in one piece. */
const TOKENS = 16_384;

/** Members or elements that follow each other in a container, or one whose value is a large container. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly value: LargeContainer | undefined;
}

/** An object or a list whose text is longer than a piece, and its parts in their order. */
export interface LargeContainer {
  readonly isObject: boolean;
  readonly start: number;
  /** The position after its last character. */
  end: number;
  readonly parts: Part[];
}

/** An open container; `runStart` is -1 between a large value and the comma after it. */
interface Open extends Pick<LargeContainer, 'start'> {
  readonly code: number;
  memberStart: number;
  runStart: number;
  large: LargeContainer | undefined;
}

interface Limits {
  /** Length of the text of a piece. */
  readonly length: number;
  readonly maxDepth: number;
}

/**
 * Finds the parts of a large JSON text in one pass, in pieces. The texts of all parts, in brackets, are JSON exactly if the whole
 * text is. Undefined when the text is no large container, or certainly malformed.
 */
export function* largeParts(text: string, limits: Limits): Work<LargeContainer | undefined> {
  const parts = new PartsOf(text, limits);
  let tokens = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COMMA) parts.comma(at);
    else if (code === OPEN_OBJECT || code === OPEN_LIST) parts.open(at, code);
    else if (code === OPEN_OBJECT + TO_CLOSING || code === OPEN_LIST + TO_CLOSING) parts.close(at, code);
    else continue;
    if (parts.isMalformed) return undefined;
    if (++tokens % TOKENS === 0) yield;
  }
  return parts.whole;
}

class PartsOf {
  readonly #text: string;
  readonly #limits: Limits;
  readonly #open: Open[] = [];
  #whole: LargeContainer | undefined;
  isMalformed = false;

  constructor(text: string, limits: Limits) {
    this.#text = text;
    this.#limits = limits;
  }

  /** The large container that is the whole text. */
  get whole(): LargeContainer | undefined {
    const whole = this.#whole;
    const isWhole =
      whole !== undefined &&
      this.#open.length === 0 &&
      isBlank(this.#text, 0, whole.start) &&
      isBlank(this.#text, whole.end, this.#text.length);
    return isWhole ? whole : undefined;
  }

  open(at: number, code: number): void {
    this.#open.push({ start: at, code, memberStart: at + 1, runStart: at + 1, large: undefined });
    if (this.#open.length > this.#limits.maxDepth || this.#whole !== undefined) this.isMalformed = true;
  }

  comma(at: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) {
      this.isMalformed = true;
      return;
    }
    if (open.runStart < 0) this.#endValue(open, at);
    else if (at - open.runStart >= this.#limits.length) this.#addRun(open, at, true);
    if (open.runStart < 0 || open.large?.parts.at(-1)?.to === at) open.runStart = at + 1;
    open.memberStart = at + 1;
  }

  close(at: number, code: number): void {
    const open = this.#open.pop();
    if (open === undefined || code !== open.code + TO_CLOSING) {
      this.isMalformed = true;
      return;
    }
    if (open.large === undefined && at - open.start < this.#limits.length) return;
    if (open.runStart < 0) this.#endValue(open, at);
    else this.#addRun(open, at, open.runStart > open.start + 1);
    const large = largeOf(open);
    large.end = at + 1;
    const outer = this.#open.at(-1);
    if (outer === undefined) this.#whole = large;
    else this.#addValue(outer, large);
  }

  /** Adds the members since the last part. Beside a comma there must be some: brackets around the run would hide it. */
  #addRun(open: Open, to: number, isBesideComma: boolean): void {
    const from = open.runStart;
    if (isBesideComma && isBlank(this.#text, from, to)) this.isMalformed = true;
    largeOf(open).parts.push({ from, to, value: undefined });
  }

  #addValue(open: Open, value: LargeContainer): void {
    const { memberStart, runStart } = open;
    if (memberStart > runStart) this.#addRun(open, memberStart - 1, true);
    largeOf(open).parts.push({ from: memberStart, to: value.end, value });
    open.runStart = -1;
  }

  #endValue({ large }: Open, at: number): void {
    if (!isBlank(this.#text, large?.parts.at(-1)?.to ?? at, at)) this.isMalformed = true;
  }
}

function largeOf(open: Open): LargeContainer {
  open.large ??= { isObject: open.code === OPEN_OBJECT, start: open.start, end: -1, parts: [] };
  return open.large;
}

/** Whether there is only space between two positions. */
export function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false;
  }
  return true;
}
