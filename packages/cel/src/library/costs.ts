import { PATTERN, TRAVERSAL } from '../functions/call-costs.ts';
import type { CallEstimator } from '../functions/call-estimate.ts';
import type { CallCost } from '../functions/overload.ts';
import { add, fixed, multiply, type Range, scale, unknown } from '../functions/range.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';

/** Cost at run time and its estimate, for overloads that share a rule. */
export interface CostRule {
  readonly cost: CallCost;
  readonly work?: number;
  readonly estimate: CallEstimator;
  readonly costOfResult?: boolean;
  readonly costNeedsTypes?: boolean;
}

const sizeAt = (args: Parameters<CallEstimator>[0], index: number): Range => args[index]?.size ?? unknown;

/** Traversing a text `factor` times; the result has the size of the text when `keepsSize`. */
export const traversal = ({ factor = 1, index = 0, keepsSize = false, work = 2 } = {}): CostRule => ({
  work,
  cost: (args, evaluation) => {
    const value = args[index];
    if (factor === 1 && typeof value === 'string' && value.length <= 10) return value === '' ? 0 : 1;
    return Math.ceil(evaluation.sizeOf(value) * factor * TRAVERSAL);
  },
  estimate: (args) => {
    const size = sizeAt(args, index);
    return { cost: scale(size, factor * TRAVERSAL), ...(keepsSize ? { size } : {}) };
  },
});

export const constantCost = (cost: number): CostRule => ({
  cost: () => cost,
  estimate: () => ({ cost: fixed(cost) }),
});

/** Matching the text of the first argument with the pattern of the second. */
export const patternCost: CostRule = {
  cost: ([text, pattern], evaluation) =>
    Math.ceil((1 + evaluation.sizeOf(text)) * TRAVERSAL) * Math.ceil(evaluation.sizeOf(pattern) * PATTERN),
  estimate: (args) => ({ cost: patternEstimate(args) }),
};

const patternEstimate = (args: Parameters<CallEstimator>[0]): Range =>
  multiply(scale(add(sizeAt(args, 0), fixed(1)), TRAVERSAL), scale(sizeAt(args, 1), PATTERN));

/** As matching; every character may be a separate result. */
export const findCost: CostRule = {
  ...patternCost,
  estimate: (args) => ({ cost: patternEstimate(args), size: { min: 0, max: sizeAt(args, 0).max } }),
};

/** Cost of traversing a value with all values within. */
export function traversalCost(value: Value | undefined): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  if (value instanceof ListValue) {
    let cost = 0;
    for (let i = 0; i < value.length; i++) cost += traversalCost(value.at(i));
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  return value
    .keys()
    .reduce((cost: number, key) => cost + traversalCost(key) + traversalCost(value.get(key)), 0);
}

/** Comparing each element of a list once, or traversing a text. */
export const elementwise: CostRule = {
  cost: ([target], evaluation) => {
    if (target instanceof ListValue) evaluation.work(target.length * 3);
    return traversalCost(target);
  },
  estimate: ([target]) => {
    if (target === undefined) return { cost: fixed(1) };
    const { type, size, elementSize } = target;
    if (type.kind !== 'list') return { cost: scale(size, TRAVERSAL) };
    const isText = type.element.kind === 'string' || type.element.kind === 'bytes';
    const each = isText ? add(fixed(1), scale(elementSize, TRAVERSAL)) : fixed(1);
    return { cost: multiply(size, each) };
  },
};
