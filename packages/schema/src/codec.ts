import type { ApiObject, FieldError } from '@orch/machinery';

/** Something wrong with the shape of the input: a 400, or a note for strict decoding. */
export interface DecodeProblem {
  readonly kind: 'type' | 'unknown' | 'duplicate';
  readonly field: string;
  readonly message: string;
}

/**
 * The compiled form of one kind's schema in one version, for one naming.
 * All functions are synchronous and bounded by the size of their input.
 */
export interface Codec {
  /**
   * Reads an untrusted JSON value: known members only, in declaration order, presence rules applied, types checked.
   * The result shares nothing mutable with the input. `problems` of kind `type` make the value unusable;
   * unknown members are dropped, and reported only when `reportUnknown` is set.
   */
  decode(
    value: unknown,
    options?: { readonly reportUnknown?: boolean },
  ): { readonly value: ApiObject; readonly problems: readonly DecodeProblem[] };
  /** Fills in declared defaults, in place, on a value that `decode` returned. */
  applyDefaults(value: ApiObject): void;
  /** Declared constraints and checks, in declaration order. `old` is the stored object on update. */
  validate(value: ApiObject, old?: ApiObject): readonly FieldError[];
}
