import type { Work } from '@orch/machinery/concurrency';
import type { DecodeContext } from './decode-context.ts';

/**
 * Reads one value that is neither undefined nor null. Returns undefined after reporting a problem, and null for a
 * value that counts as unset (the zero instant).
 */
export type Read = (value: unknown, context: DecodeContext) => unknown;

/** Like `Read`, in pieces. */
export type ReadInPieces = (value: unknown, context: DecodeContext) => Work<unknown>;

/** The value that an absent `always` field is written with, and that a null item of a list or map becomes. */
export type Zero = (context: DecodeContext) => unknown;

/** A schema compiled for decoding. */
export interface Reader {
  readonly read: Read;
  /** Like `read`, of a value with many parts; absent where a value has few. */
  readonly inPieces?: ReadInPieces;
  readonly zero: Zero;
}
