/** Greatest program of a regular expression, in instructions: about 1.5 MB. */
const MAX_PATTERN_SIZE = 10_000;

/** Maximum work of parsing a regular expression, in instructions of about 2 µs. */
export const MAX_PATTERN_WORK = 20_000;

/** Instructions that a Unicode class counts as, once: its ranges take as much memory and time. */
const UNICODE_CLASS = 100;

/** Work of each copy of a Unicode class, which a repetition makes: copies share the ranges, but each is gone through. */
const UNICODE_COPY = 25;

/** The approximate size of the program of an expression, and the work of parsing it, both in instructions. */
export interface PatternSize {
  readonly instructions: number;
  readonly work: number;
}

const repetition = /\{(\d{1,9})(,(\d{0,9}))?\}/y;
const unicodeClass = /\\[pP](?:\{[^}]{0,50}\}|.)/sy;
const unicodeClasses = /\\[pP]/g;

/** A sequence within brackets, or the whole expression. */
interface Sequence {
  size: number;
  /** Unicode classes in it, copies included. */
  classes: number;
  /** The last part, to which a repetition applies. */
  last: number;
  lastClasses: number;
}

const emptySequence = (): Sequence => ({ size: 0, classes: 0, last: 0, lastClasses: 0 });

/** Reads an expression once, from its start, without checking its syntax. */
class SizeReader {
  readonly #text: string;
  #at = 0;
  #open = emptySequence();
  readonly #outer: Sequence[] = [];
  /** Unicode classes in the text of the expression. */
  #written = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): PatternSize {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    while (this.#outer.length > 0) this.#close();
    const { size, last, classes, lastClasses } = this.#open;
    const instructions = size + last + 2 + this.#written * UNICODE_CLASS;
    return { instructions, work: instructions + (classes + lastClasses) * UNICODE_COPY };
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
        this.#open = emptySequence();
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

  #part(size: number, classes = 0): void {
    this.#open.size += this.#open.last;
    this.#open.classes += this.#open.lastClasses;
    this.#open.last = size;
    this.#open.lastClasses = classes;
  }

  #close(): void {
    const { last, lastClasses, size, classes } = this.#open;
    this.#open = this.#outer.pop() ?? emptySequence();
    this.#part(size + last + 2, classes + lastClasses);
  }

  #escape(): void {
    unicodeClass.lastIndex = this.#at;
    const found = unicodeClass.exec(this.#text);
    if (found !== null) {
      this.#written++;
      this.#part(1, 1);
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
    this.#written += classes;
    this.#part(1 + Math.ceil(text.length / 16), classes);
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
    this.#open.lastClasses *= times;
    this.#at += text.length;
  }
}

/** The size of an expression, in time proportional to its length: counted repetitions multiply what they repeat. */
export const patternSize = (text: string): PatternSize => new SizeReader(text).read();

/** The reason why an expression is too large to be parsed; undefined when it is not. */
export function excessOf({ instructions, work }: PatternSize): string | undefined {
  if (instructions > MAX_PATTERN_SIZE)
    return `its program would have about ${instructions} instructions, more than ${MAX_PATTERN_SIZE}`;
  if (work > MAX_PATTERN_WORK)
    return `its repeated Unicode classes would take the work of ${work} instructions, more than ${MAX_PATTERN_WORK}`;
  return undefined;
}
