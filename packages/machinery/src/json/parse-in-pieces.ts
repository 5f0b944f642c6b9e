import type { Work } from '../concurrency/index.ts';
import { isBlank, type LargeContainer, largeParts, type Part } from './large-parts.ts';
import { losslessInPieces } from './lossless.ts';
import { jsonBytesToText } from './parse.ts';
import { lossyIn, MAX_JSON_DEPTH, type ParseJsonOptions, parseJsonPart } from './parse-text.ts';
import { scanJson } from './scan.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { setField } from './values.ts';
import { JsonWalker } from './walk.ts';
import { noteWidth } from './width.ts';

/** Characters that are parsed at once: some milliseconds. */
const PIECE_LENGTH = 128 * 1024;

/**
 * As `parseJson`, in pieces. Takes up to twice as long, so that it is for texts whose parse would hold the thread for long.
 */
export function* parseJsonInPieces(
  bytes: Uint8Array,
  options: ParseJsonOptions = {},
  pieceLength = PIECE_LENGTH,
): Work<unknown> {
  const text = jsonBytesToText(bytes);
  yield;
  const { maxDepth = MAX_JSON_DEPTH } = options;
  const whole = yield* largeParts(text, { length: pieceLength, maxDepth });
  try {
    if (whole !== undefined) return yield* new Building(text, { ...options, maxDepth }).container(whole, 0);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof SyntaxError)) throw error;
  }
  return yield* parsedAsWhole(text, { ...options, maxDepth });
}

/** Parses a text that is malformed, or hardly longer than a piece: errors have the position in the whole text. */
function* parsedAsWhole(
  text: string,
  options: ParseJsonOptions & { readonly maxDepth: number },
): Work<unknown> {
  const found = scanJson(text, options.maxDepth);
  yield;
  if (lossyIn(found, options)) return yield* losslessInPieces(text, options);
  yield* new JsonWalker(text).walkInPieces();
  return parseJsonPart(text, options);
}

/** Builds the value of a text from its parts. */
class Building {
  readonly #text: string;
  readonly #options: ParseJsonOptions & { readonly maxDepth: number };

  constructor(text: string, options: ParseJsonOptions & { readonly maxDepth: number }) {
    this.#text = text;
    this.#options = options;
  }

  *container({ isObject, parts }: LargeContainer, depth: number): Work<unknown> {
    const list: unknown[] = [];
    const fields: Record<string, unknown> = {};
    let width = 0;
    for (const part of parts) {
      yield;
      if (part.value !== undefined) {
        const before = this.#text.slice(part.from, part.value.start);
        const value = yield* this.container(part.value, depth + 1);
        if (isObject) setField(fields, nameIn(before), value);
        else list.push(elementAfter(before, value));
        width += 1;
      } else if (isObject) {
        const more = this.#run(part, '{}', depth) as Record<string, unknown>;
        yield;
        width += addFields(fields, more);
      } else for (const item of this.#run(part, '[]', depth) as unknown[]) list.push(item);
    }
    noteWidth(fields, width);
    return isObject ? fields : list;
  }

  #run({ from, to }: Part, brackets: '{}' | '[]', depth: number): unknown {
    const { maxDepth } = this.#options;
    const text = `${brackets[0]}${this.#text.slice(from, to)}${brackets[1]}`;
    return parseJsonPart(text, { ...this.#options, maxDepth: maxDepth - depth });
  }
}

/** The name in the text before the object or array of a member. */
function nameIn(before: string): string {
  // Brackets stand for the value: a digit in its place would continue a number in malformed text.
  const [name, ...others] = Object.keys(JSON.parse(`{${before}[]}`) as object);
  if (name === undefined || others.length > 0) throw new SyntaxError('not one member');
  return name;
}

function elementAfter(before: string, value: unknown): unknown {
  if (!isBlank(before, 0, before.length)) throw new SyntaxError('text before an element');
  return value;
}

/** Moves fields to another object; returns their number. */
function addFields(target: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): number {
  let count = 0;
  for (const name in fields) {
    setField(target, name, fields[name]);
    count += 1;
  }
  return count;
}
