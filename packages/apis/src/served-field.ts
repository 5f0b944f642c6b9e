import type { Names } from '@orch/machinery';

/** The value of a field whose served name depends on the naming: types and declarations have its canonical name. */
export const servedField = <T extends object, K extends keyof T & string>(
  object: T,
  canonical: K,
  names: Names,
): T[K] => object[names.field(canonical) as K];
