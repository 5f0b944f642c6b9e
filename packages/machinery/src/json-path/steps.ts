/** One step of a path into JSON values. Each step takes the values found so far to those that it finds below them. */
export type JsonPathStep =
  | { readonly kind: 'field'; readonly name: string }
  /** All fields or items. */
  | { readonly kind: 'wildcard' }
  /** The value and all objects and lists within it, at any depth. */
  | { readonly kind: 'recursive' }
  /** Items by position; negative positions count from the end. */
  | { readonly kind: 'slice'; readonly slice: Slice }
  | { readonly kind: 'union'; readonly paths: readonly JsonPath[] }
  | { readonly kind: 'filter'; readonly filter: Filter }
  /** A constant: a string replaces all values found so far, a number or boolean each one. */
  | { readonly kind: 'literal'; readonly value: string | number | boolean };

export interface Slice {
  readonly start: number | undefined;
  /** Exclusive. */
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** One position: `[3]`. */
  readonly isIndex: boolean;
}

/** Items for which the comparison of both sides is true, or, without an operator, for which the left side exists. */
export interface Filter {
  readonly left: JsonPath;
  readonly comparison?: { readonly operator: FilterOperator; readonly right: JsonPath };
}

export const filterOperators = ['<', '>', '==', '!=', '<=', '>='] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A path as clients write it in templates, without the braces: `.status.parts[?(@.type=="a")].size`. */
export type JsonPath = readonly JsonPathStep[];
