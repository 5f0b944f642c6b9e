/** Greatest program of a regular expression, in instructions: reading the expression takes about 20 ms. */
export const MAX_PATTERN_SIZE = 10_000;

/** Instructions that a Unicode class counts as: parsing one takes as long as parsing so many characters. */
const UNICODE_CLASS = 100;

const repetition = /\{(\d{1,9})(,(\d{0,9}))?\}/y;
const unicodeClass = /\\[pP](?:\{[^}]{0,50}\}|.)/sy;
const unicodeClasses = /\\[pP]/g;

/** A sequence within brackets, or the whole expression. */
interface Sequence {
  size: number;
  /** Size of the last part, to which a repetition applies. */
  last: number;
}

/** Reads an expression once, from its start, without checking its syntax. */
class SizeReader {
  readonly #text: string;
  #at = 0;
  #open: Sequence = { size: 0, last: 0 };
  readonly #outer: Sequence[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): number {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    while (this.#outer.length > 0) this.#close();
    return this.#open.size + this.#open.last + 2;
  }

  #step(char: string): void {
    switch (char) {
      case '\\':
        this.#escape();
        return;
      case '[':
        this.#characterClass();
        return;
      case '(':
        this.#outer.push(this.#open);
        this.#open = { size: 0, last: 0 };
        break;
      case ')':
        if (this.#outer.length > 0) this.#close();
        break;
      case '*':
      case '+':
      case '?':
        this.#open.last += 2;
        break;
      case '{':
        this.#repeat();
        return;
      default:
        this.#part(1);
    }
    this.#at++;
  }

  #part(size: number): void {
    this.#open.size += this.#open.last;
    this.#open.last = size;
  }

  #close(): void {
    const { last, size } = this.#open;
    this.#open = this.#outer.pop() ?? { size: 0, last: 0 };
    this.#part(size + last + 2);
  }

  #escape(): void {
    unicodeClass.lastIndex = this.#at;
    const found = unicodeClass.exec(this.#text);
    if (found !== null) {
      this.#part(UNICODE_CLASS);
      this.#at += found[0].length;
      return;
    }
    this.#part(1);
    this.#at += 2;
  }

  /** Up to the first bracket that closes it: a class that contains classes is read as if it ended earlier. */
  #characterClass(): void {
    const end = this.#text.indexOf(']', this.#at + 2);
    const text = this.#text.slice(this.#at, end < 0 ? undefined : end + 1);
    const classes = text.match(unicodeClasses)?.length ?? 0;
    this.#part(1 + Math.ceil(text.length / 16) + classes * UNICODE_CLASS);
    this.#at += text.length;
  }

  #repeat(): void {
    repetition.lastIndex = this.#at;
    const [text, least = '', range, most = ''] = repetition.exec(this.#text) ?? [];
    if (text === undefined) {
      this.#part(1);
      this.#at++;
      return;
    }
    const times = Math.max(Number(least) + (range === undefined ? 0 : 1), Number(most), 1);
    this.#open.last = (this.#open.last + 1) * times;
    this.#at += text.length;
  }
}

/**
 * About how many instructions the program of an expression has, in time proportional to the length of the expression: counted
 * repetitions multiply what they repeat.
 */
export const patternSize = (text: string): number => new SizeReader(text).read();
