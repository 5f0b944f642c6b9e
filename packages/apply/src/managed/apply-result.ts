import type { FieldError } from '@orch/machinery';
import type { MutableJsonObject } from '@orch/machinery/json';
import type { Conflict } from './conflicts.ts';
import type { RawEntry } from './owner.ts';
import type { WriteInput } from './write-input.ts';

export interface ApplyInput extends WriteInput {
  /** The stored object in the version of the request; undefined when there is none. */
  readonly live: MutableJsonObject | undefined;
  /** The body of the request: the fields that the manager sets, neither decoded nor defaulted. */
  readonly config: unknown;
  /** Take over fields of other managers instead of failing. */
  readonly force: boolean;
  /**
   * The annotation of client-side apply, given when the manager is the one that its tool uses by default: the apply
   * takes over what that tool had set (spec 4.9 rule 10).
   */
  readonly lastAppliedAnnotation?: string;
}

/** An apply was carried out. */
export interface Applied {
  readonly kind: 'applied';
  /** The merged object with its owners: to be decoded, which brings back the defaults of fields that were dropped. */
  readonly object: MutableJsonObject;
  readonly managedFields: readonly RawEntry[];
  /** False when neither a field nor an owner changed: there is nothing to write. */
  readonly changed: boolean;
}

/** Other managers own fields that the configuration sets to other values. */
export interface Conflicted {
  readonly kind: 'conflict';
  readonly conflicts: readonly Conflict[];
}

/** The configuration cannot be applied. */
export interface Refused {
  readonly kind: 'refused';
  /**
   * - `malformed`: it is not an object with metadata;
   * - `managedFields`: it sets managed fields;
   * - `version`: its version differs from that of the request;
   * - `fields`: some of its fields are wrong, see `errors` and `unknown`.
   */
  readonly reason: 'malformed' | 'managedFields' | 'version' | 'fields';
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly unknown: readonly string[];
}

export type ApplyResult = Applied | Conflicted | Refused;
