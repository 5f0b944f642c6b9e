import type { DecodeContext } from './decode-context.ts';

/**
 * Reads one value that is neither undefined nor null. Answers undefined after reporting a problem, and null for a
 * value that means "not set" (the zero instant).
 */
export type Read = (value: unknown, context: DecodeContext) => unknown;

/** The value that an absent `always` field is written with, and that a null item of a list or map becomes. */
export type Zero = (context: DecodeContext) => unknown;

/** A compiled schema, as far as decoding goes. */
export interface Reader {
  readonly read: Read;
  readonly zero: Zero;
}
