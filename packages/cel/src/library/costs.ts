import { PATTERN, TRAVERSAL } from '../functions/call-costs.ts';
import type { CallEstimator } from '../functions/call-estimate.ts';
import type { Evaluation } from '../functions/evaluation.ts';
import type { CallCost, CallWork } from '../functions/overload.ts';
import { add, fixed, multiply, type Range, scale, unknown } from '../functions/range.ts';
import { ListValue, MapValue, type Value } from '../values/value.ts';

/** Cost at run time and its estimate, for overloads that share a rule. */
export interface CostRule {
  readonly cost: CallCost;
  readonly work?: CallWork;
  readonly estimate: CallEstimator;
  readonly costOfResult?: boolean;
  readonly costNeedsTypes?: boolean;
}

const sizeAt = (args: Parameters<CallEstimator>[0], index: number): Range => args[index]?.size ?? unknown;

interface Traversal {
  readonly factor?: number;
  readonly index?: number;
  /** The result has the size of the text. */
  readonly keepsSize?: boolean;
  readonly work?: CallWork;
}

/** Traversing a string `factor` times. */
export const traversal = ({
  factor = 1,
  index = 0,
  keepsSize = false,
  work = 2,
}: Traversal = {}): CostRule => ({
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

/** Work for each character, byte or element of an argument. */
export const workPerUnit =
  (units: number, { base = 20, index = 0 } = {}): CallWork =>
  (args) =>
    base + Math.ceil(lengthOf(args[index]) * units);

function lengthOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array || value instanceof ListValue ? value.length : 0;
}

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

/** Cost of traversing a value with all values within; the traversal itself counts as work. */
function traversalCost(value: Value | undefined, evaluation: Evaluation): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  if (value instanceof ListValue) {
    evaluation.work(5 + value.length * 3);
    let cost = 0;
    for (let i = 0; i < value.length; i++) cost += traversalCost(value.at(i), evaluation);
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  evaluation.work(20 + value.size * 20);
  return value
    .keys()
    .reduce(
      (cost: number, key) =>
        cost + traversalCost(key, evaluation) + traversalCost(value.get(key), evaluation),
      0,
    );
}

/** Comparing each element of a list once, or traversing a string. */
export const elementwise: CostRule = {
  work: (args) => lengthOf(args[0]) >> 2,
  cost: ([target], evaluation) => traversalCost(target, evaluation),
  estimate: ([target]) => {
    if (target === undefined) return { cost: fixed(1) };
    const { type, size, elementSize } = target;
    if (type.kind !== 'list') return { cost: scale(size, TRAVERSAL) };
    const isText = type.element.kind === 'string' || type.element.kind === 'bytes';
    const each = isText ? add(fixed(1), scale(elementSize, TRAVERSAL)) : fixed(1);
    return { cost: multiply(size, each) };
  },
};
