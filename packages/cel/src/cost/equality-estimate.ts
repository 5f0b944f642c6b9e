import type { EstimatedArgument } from '../functions/call-estimate.ts';
import { fixed, type Range, scale } from '../functions/range.ts';
import { equalTypes } from '../types/equal.ts';
import { type CelType, optionalOf } from '../types/type.ts';

/** Types whose values have one size. */
export function isScalar(type: CelType): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    default: {
      const inner = optionalOf(type);
      return inner !== undefined && isScalar(inner);
    }
  }
}

/** Maximum length of the name of a format, by which two formats are compared. */
const MAX_FORMAT_NAME = 64;

/** Equality costs by the smaller side, and 1 for values of libraries. */
export function equalityEstimate(name: string, args: readonly EstimatedArgument[]): Range {
  const [left, right] = args;
  if (left === undefined || right === undefined) return fixed(1);
  if (name === '_==_' && left.type.kind === 'opaque' && equalTypes(left.type, right.type)) {
    const special = opaqueEquality(left.type.name, left, right);
    if (special !== undefined) return special;
  }
  const max = Math.min(left.size.max, right.size.max);
  return scale({ min: max > 0 ? 1 : 0, max }, 0.1);
}

function opaqueEquality(type: string, left: EstimatedArgument, right: EstimatedArgument): Range | undefined {
  switch (type) {
    case 'optional_type':
      return undefined;
    case 'kubernetes.NamedFormat':
      return scale({ min: 1, max: MAX_FORMAT_NAME }, 0.1);
    case 'kubernetes.URL':
      return scale({ min: 1, max: Math.max(left.size.max, right.size.max) }, 0.1);
    default:
      return fixed(1);
  }
}
