import type { ApiObject, FieldError, Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { Check, CheckContext, Field, PostponedChecks, StructSchema } from './schema.ts';

/**
 * Something wrong with the shape of the input: a 400, or a note for strict decoding. Of kind `size`: a 422, since its
 * defaults would make the object larger than a store accepts; those beyond the limit were not applied.
 */
export interface DecodeProblem {
  readonly kind: 'type' | 'unknown' | 'duplicate' | 'size';
  /** Path in the standard form, `''` for the object itself. */
  readonly field: string;
  /** A whole sentence for users, path included. */
  readonly message: string;
}

/** Options of decoding beyond reading. */
export interface DecodeOptions {
  /** Report unknown fields as problems of kind `unknown`; they are dropped in any case. */
  readonly reportUnknown?: boolean;
  /**
   * Apply defaults in the same pass: the same result as `applyDefaults` afterwards, at a fraction of its price. No default
   * is computed from a value that has problems of kind `type`.
   */
  readonly defaults?: boolean;
  /** Kind and apiVersion for an object that carries none, taken from the request path. */
  readonly typeMeta?: { readonly kind: string; readonly apiVersion: string };
}

export interface Decoded {
  readonly value: ApiObject;
  /** In the order of the input, at most 100 of each kind. */
  readonly problems: readonly DecodeProblem[];
}

/**
 * The compiled schema of one kind in one version, for one naming.
 * All functions are synchronous and bounded by the size of their input.
 */
export interface Codec {
  /** Reports whether a rule that came with a release holds in that of the codec. */
  readonly since: CheckContext['since'];
  /**
   * Reads an untrusted JSON value: known fields only, in declaration order, presence rules applied, types checked.
   * The result shares nothing mutable with the input. `problems` of kind `type` make the value unusable;
   * unknown fields are dropped, and reported only when `reportUnknown` is set. Never throws on JSON values.
   */
  decode(value: unknown, options?: DecodeOptions): Decoded;
  /** Like `decode`, in pieces. */
  decodeInPieces(value: unknown, options?: DecodeOptions): Work<Decoded>;
  /**
   * Throws for bytes that are not JSON, and for those in which `decode` finds problems of kind `type`. Several times faster
   * than decoding where they are an object as it is stored. Returns the bytes; with the values that `decode` reads in place of
   * `null` where its result would not be `null`.
   */
  check(bytes: Buffer): Buffer;
  /** Fills in declared defaults, in place, on a value that `decode` returned. Fields keep declaration order. */
  applyDefaults(value: ApiObject): void;
  /**
   * Declared constraints and checks, in declaration order. `old` is the stored object on update. The object's own
   * `metadata` is left to machinery's validation of it. Checks that last long are added to `postponed` where it is given:
   * the value must not change until they are done. `isDivided`: the parts of large lists and maps are added too.
   */
  validate(
    value: ApiObject,
    old?: ApiObject,
    postponed?: PostponedChecks,
    isDivided?: boolean,
  ): readonly FieldError[];
}

/** Options for compiling a schema into a codec. */
export interface CodecOptions {
  /** Fields that exist in the emulated release with the given feature gates; all of them by default. */
  readonly includes?: (field: Field) => boolean;
  /** Fields that are kept where they are, and never made: even those that are always written otherwise. */
  readonly quiet?: (field: Field) => boolean;
  /** Fields whose default the emulated release applies; all of them by default. */
  readonly defaults?: (field: Field) => boolean;
  /** Checks of a struct in addition to those that it declares; their errors come first. */
  readonly addedChecks?: (schema: StructSchema) => readonly Check[];
}

/** Compiles schemas one after another, sharing common parts. */
export interface CodecCompiler {
  readonly names: Names;
  compile(schema: StructSchema): Codec;
}
