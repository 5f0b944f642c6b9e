import { TRAVERSAL } from '../../functions/call-costs.ts';
import type { CallEstimator } from '../../functions/call-estimate.ts';
import { add, multiply, type Range, scale, unknown } from '../../functions/range.ts';

/**
 * The size of a string after replacements, from the sizes of the string, of the searched part, and of the replacement.
 */
export const replaceEstimate: CallEstimator = ([text, before, after]) => {
  const [size, from, to] = [text?.size ?? unknown, before?.size ?? unknown, after?.size ?? unknown];
  const most = longest(size, from, to);
  const fewest = shortest(size, from, to);
  const count: Range = { min: fewest.count, max: most.count };
  const kept: Range = { min: fewest.kept, max: most.kept };
  return { cost: scale(size, 2 * TRAVERSAL), size: add(multiply(count, to), kept) };
};

interface Replacement {
  /** Number of replacements. */
  readonly count: number;
  /** The part of the string that remains. */
  readonly kept: number;
}

function longest(size: Range, from: Range, to: Range): Replacement {
  // An empty string is found around every character.
  if (from.min === 0) return { count: size.max + 1, kept: size.max };
  if (to.max <= from.min) return { count: 0, kept: size.max };
  return { count: Math.ceil(size.max / from.min), kept: 0 };
}

function shortest(size: Range, from: Range, to: Range): Replacement {
  if (from.max === 0) return { count: size.min + 1, kept: size.min };
  if (from.max <= to.min) return { count: 0, kept: size.min };
  return { count: Math.ceil(size.min / from.max), kept: 0 };
}
