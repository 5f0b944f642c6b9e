import { type NumberOptions, parseLossless } from './lossless.ts';
import { EXACT_NUMBERS, SPELLED_INTEGERS, scanJson, WIDE_OBJECTS } from './scan.ts';
import { JsonWalker } from './walk.ts';
import { noteWidths } from './width.ts';

/**
 * Default nesting limit. Schemas of real kinds stay below 100 levels, and the stack suffices for several thousand in
 * all recursive functions (codecs, merge, `JSON.stringify`): 500 leaves a margin on both sides.
 */
export const MAX_JSON_DEPTH = 500;

export interface ParseJsonOptions extends NumberOptions {
  /** Levels of objects and arrays; default 500. */
  readonly maxDepth?: number;
  /** Called before the end when the text may have numbers that a double cannot hold, for callers that look for them. */
  readonly onExactNumbers?: () => void;
  /** Called before the end when an object has two fields with the same name (`findDuplicateKeys` finds them). Not by `parseJsonPart`. */
  readonly onRepeatedFields?: (() => void) | undefined;
}

/** As `parseJson`, of a text, on every platform. */
export function parseJsonPart(text: string, options: ParseJsonOptions): unknown {
  const found = scanJson(text, options.maxDepth ?? MAX_JSON_DEPTH);
  if ((found & EXACT_NUMBERS) !== 0) options.onExactNumbers?.();
  const value = lossyIn(found, options) ? parseLossless(text, options) : parsed(text);
  if ((found & WIDE_OBJECTS) !== 0) noteWidths(value);
  return value;
}

/** Whether a text with these contents has numbers that `JSON.parse` would change. */
export const lossyIn = (found: number, { keepSpelling = false }: NumberOptions): boolean =>
  (found & (keepSpelling ? EXACT_NUMBERS | SPELLED_INTEGERS : EXACT_NUMBERS)) !== 0;

/** Reads the text of a value that `parseJson` would accept, or has accepted. Widths are not noted. */
export function parseJsonText(text: string): unknown {
  return (scanJson(text, MAX_JSON_DEPTH) & EXACT_NUMBERS) === 0 ? parsed(text) : parseLossless(text, {});
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The walker determines the position, with the same message on every version of the runtime.
    new JsonWalker(text).walk();
    throw cause;
  }
}
