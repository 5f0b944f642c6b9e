/** The minimum and maximum of a cost or size. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The limit of sums and products: Kubernetes counts in 64 bits. */
export const MAX = 2 ** 64;

export const fixed = (value: number): Range => ({ min: value, max: value });
export const unknown: Range = { min: 0, max: MAX };
export const zero: Range = fixed(0);

const bounded = (value: number): number => Math.min(value, MAX);

export const add = (a: Range, b: Range): Range => ({
  min: bounded(a.min + b.min),
  max: bounded(a.max + b.max),
});

export const sum = (ranges: readonly Range[]): Range => ranges.reduce(add, zero);

export const multiply = (a: Range, b: Range): Range => ({
  min: bounded(a.min * b.min),
  max: bounded(a.max * b.max),
});

/** Multiplied and rounded up. */
export const scale = (range: Range, factor: number): Range => ({
  min: bounded(Math.ceil(range.min * factor)),
  max: bounded(Math.ceil(range.max * factor)),
});

export const union = (a: Range, b: Range): Range => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
