import { OpaqueValue, type Value } from '../values/value.ts';
import type { Evaluation } from './evaluation.ts';

/** Cost of traversing one character of a string. */
export const TRAVERSAL = 0.1;
/** Cost of one character of a regular expression, for a string of cost 1. */
export const PATTERN = 0.25;

/** Scanning strings up to this length costs 1, regardless of their code points. */
const CHEAP = 10;

/** Equality costs by the smaller side. */
export function equalityCost(a: Value, b: Value, evaluation: Evaluation): number {
  if (typeof a !== 'object' && typeof a !== 'string')
    return typeof b === typeof a || evaluation.sizeOf(b) > 0 ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') {
    const shorter = Math.min(a.length, b.length);
    if (shorter <= CHEAP) return shorter === 0 ? 0 : 1;
  }
  if (a instanceof OpaqueValue) return 1;
  return Math.ceil(Math.min(evaluation.sizeOf(a), evaluation.sizeOf(b)) * TRAVERSAL);
}

/** Overloads that evaluate their argument only if the receiver is empty. */
export const lazyOptionals: ReadonlySet<string> = new Set(['optional_or_optional', 'optional_orValue_value']);
