import { numberFromText } from '../json/index.ts';
import { SELF_DESCRIBED } from './major-types.ts';
import { CborWriter } from './write.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;

/** The document of an object or an array in JSON that this server made, without building its value. */
export function cborFromJson(json: Buffer): Buffer {
  const translator = new Translator();
  return translator.push(json);
}

/** As `cborFromJson`, for the slices of JSON: a large list is translated slice by slice. */
export function* cborChunks(slices: Iterable<Buffer>): Generator<Buffer> {
  const translator = new Translator();
  for (const slice of slices) {
    const translated = translator.push(slice);
    // Empty slices are pauses.
    if (translated.length > 0 || slice.length === 0) yield translated;
  }
}

/** Translates the tokens of JSON in their order. Maps and arrays have no length, which is unknown when they begin. */
class Translator {
  readonly #writer = new CborWriter();
  /** The beginning of a token whose end is in the next slice. */
  #rest: Buffer | undefined;

  constructor() {
    this.#writer.raw(SELF_DESCRIBED);
  }

  push(slice: Buffer): Buffer {
    const bytes = this.#rest === undefined ? slice : Buffer.concat([this.#rest, slice]);
    this.#rest = undefined;
    let at = 0;
    while (at < bytes.length) {
      const next = this.#token(bytes, at);
      if (next < 0) {
        this.#rest = bytes.subarray(at);
        break;
      }
      at = next;
    }
    return this.#writer.take();
  }

  /** Writes the token at a position and returns the position after it; -1 if the end of the token is missing. */
  #token(bytes: Buffer, at: number): number {
    switch (bytes[at]) {
      case QUOTE:
        return this.#string(bytes, at + 1);
      case OPEN_BRACE:
        this.#writer.beginMap();
        return at + 1;
      case OPEN_BRACKET:
        this.#writer.beginArray();
        return at + 1;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#writer.end();
        return at + 1;
      default:
        return isBetween(bytes[at]) ? at + 1 : this.#word(bytes, at);
    }
  }

  #string(bytes: Buffer, start: number): number {
    let end = bytes.indexOf(QUOTE, start);
    if (end < 0) return -1;
    const content = bytes.subarray(start, end);
    const backslash = content.indexOf(BACKSLASH);
    if (backslash < 0) {
      this.#writer.utf8(content);
      return end + 1;
    }
    end = endOfString(bytes, start + backslash);
    if (end < 0) return -1;
    this.#writer.text(JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string);
    return end + 1;
  }

  /** A number or a literal. */
  #word(bytes: Buffer, start: number): number {
    let end = start + 1;
    while (end < bytes.length && !isDelimiter(bytes[end])) end += 1;
    if (end === bytes.length) return -1;
    switch (bytes[start]) {
      case LETTER_T:
        this.#writer.value(true);
        break;
      case LETTER_F:
        this.#writer.value(false);
        break;
      case LETTER_N:
        this.#writer.value(null);
        break;
      default:
        this.#writer.value(numberFromText(bytes.toString('latin1', start, end)));
    }
    return end;
  }
}

const isBetween = (byte: number | undefined): boolean =>
  byte === COMMA || byte === COLON || (byte ?? 0) <= SPACE;

const isDelimiter = (byte: number | undefined): boolean =>
  isBetween(byte) || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;

/** The position of the quote that ends a string, the first escape of which is at `at`; -1 if it is missing. */
function endOfString(bytes: Buffer, at: number): number {
  for (let i = at; i < bytes.length; i++) {
    if (bytes[i] === BACKSLASH) i += 1;
    else if (bytes[i] === QUOTE) return i;
  }
  return -1;
}
