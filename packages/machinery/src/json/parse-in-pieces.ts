import type { Work } from '../concurrency/index.ts';
import { isBlank, type LargeContainer, largeParts, type Part } from './large-parts.ts';
import { losslessInPieces } from './lossless.ts';
import { jsonBytesToText } from './parse.ts';
import { lossyIn, MAX_JSON_DEPTH, type ParseJsonOptions, parseJsonPart } from './parse-text.ts';
import { fieldsIn, hasRepeatedFields, namesIn, scanJson } from './scan.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { setField } from './values.ts';
import { JsonWalker } from './walk.ts';
import { noteWidth } from './width.ts';

/** Characters that are parsed at once. Many short fields take up to a millisecond for each 8 KB. */
const PIECE_LENGTH = 32 * 1024;

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
  const isLossy = lossyIn(found, options);
  if (!isLossy) yield* new JsonWalker(text).walkInPieces();
  const value = isLossy ? yield* losslessInPieces(text, options) : parseJsonPart(text, options);
  noteRepeated(text, value, options);
  return value;
}

/** Calls `onRepeatedFields` if the text has repeated fields. */
function noteRepeated(text: string, value: unknown, { onRepeatedFields }: ParseJsonOptions): void {
  if (onRepeatedFields !== undefined && hasRepeatedFields(text, value)) onRepeatedFields();
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
        if (isObject) this.#add(fields, nameIn(before), value);
        else list.push(elementAfter(before, value));
        width += 1;
      } else if (isObject) {
        const more = this.#run(part, '{}', depth) as Record<string, unknown>;
        yield;
        width += this.#addAll(fields, more, part);
      } else addItems(list, this.#items(part, depth));
    }
    noteWidth(fields, width);
    return isObject ? fields : list;
  }

  #add(target: Record<string, unknown>, name: string, value: unknown): void {
    const { onRepeatedFields } = this.#options;
    if (onRepeatedFields !== undefined && Object.hasOwn(target, name)) onRepeatedFields();
    setField(target, name, value);
  }

  /** Moves the fields of a run to another object; returns their number. */
  #addAll(
    target: Record<string, unknown>,
    fields: Readonly<Record<string, unknown>>,
    { from, to }: Part,
  ): number {
    const { onRepeatedFields } = this.#options;
    let count = 0;
    let below = 0;
    // The names of a wide object are listed only once, which costs more than all else here.
    for (const name in fields) {
      const value = fields[name];
      this.#add(target, name, value);
      count += 1;
      if (onRepeatedFields !== undefined) below += fieldsIn(value);
    }
    if (onRepeatedFields !== undefined && namesIn(this.#text.slice(from, to)) !== count + below)
      onRepeatedFields();
    return count;
  }

  #items(part: Part, depth: number): readonly unknown[] {
    const items = this.#run(part, '[]', depth) as readonly unknown[];
    noteRepeated(this.#text.slice(part.from, part.to), items, this.#options);
    return items;
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

/** Appends items to a list. An index is several times faster than an iterator here. */
function addItems(target: unknown[], items: readonly unknown[]): void {
  for (let i = 0; i < items.length; i++) target.push(items[i]);
}
