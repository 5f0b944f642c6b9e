import type { DecodeContext } from './decode-context.ts';

/**
 * Reads one value that is neither undefined nor null. Returns undefined after reporting a problem, and null for a
 * value that counts as unset (the zero instant).
 */
export type Read = (value: unknown, context: DecodeContext) => unknown;

/** The value that an absent `always` field is written with, and that a null item of a list or map becomes. */
export type Zero = (context: DecodeContext) => unknown;

/** A schema compiled for decoding. */
export interface Reader {
  readonly read: Read;
  readonly zero: Zero;
}
