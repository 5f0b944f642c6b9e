import type { CelType } from '../types/type.ts';

/**
 * The shape of the data that a variable holds: the parts of a structural schema that expressions need. It defines the
 * static type for the checker, the maximum size for the estimator, and how the evaluator reads JSON.
 */
export type DeclType =
  | ScalarDecl
  | TextDecl
  | ListDecl
  | MapDecl
  | ObjectDecl
  | DynDecl
  | OptionalDecl
  | ValueDecl;

interface Sized {
  /** Most elements, entries, characters or bytes that a value has; 0 for scalars. */
  readonly maxElements: number;
  /** Fewest bytes of a value as JSON, from which the default limits of lists and maps follow. */
  readonly minSize: number;
}

export interface ScalarDecl extends Sized {
  readonly kind: 'bool' | 'int' | 'uint' | 'double' | 'null';
}

/** Kinds that are strings in JSON. A `date` is a timestamp; `bytes` are base64. */
export interface TextDecl extends Sized {
  readonly kind: 'string' | 'bytes' | 'timestamp' | 'date' | 'duration';
}

export interface ListDecl extends Sized {
  readonly kind: 'list';
  readonly element: DeclType;
  /** How lists are compared and concatenated: by position, as sets, or by the keys of their objects. */
  readonly list:
    | { readonly type: 'atomic' | 'set' }
    | { readonly type: 'map'; readonly keys: readonly string[] };
}

export interface MapDecl extends Sized {
  readonly kind: 'map';
  readonly value: DeclType;
}

export interface ObjectDecl extends Sized {
  readonly kind: 'object';
  /** The type's name in error messages; types of the same name are the same type. */
  readonly name: string;
  /** By the name in expressions (see `escapeName`). */
  readonly fields: ReadonlyMap<string, DeclField>;
}

export interface DeclField {
  /** The name in JSON. */
  readonly jsonName: string;
  readonly type: DeclType;
}

/** Any JSON value. */
export interface DynDecl extends Sized {
  readonly kind: 'dyn';
}

/** A variable that may have no value, such as the old object of a creation: an optional in expressions. */
export interface OptionalDecl extends Sized {
  readonly kind: 'optional';
  readonly of: DeclType;
}

/** A variable whose value is given as a value of expressions, not as JSON. */
export interface ValueDecl extends Sized {
  readonly kind: 'value';
  readonly type: CelType;
}
