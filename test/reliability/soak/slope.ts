/** A value at a time. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A straight line through points: its slope, and how far the slope may be off by chance (95 of 100). */
export interface Slope {
  readonly perUnit: number;
  readonly error: number;
  readonly mean: number;
}

/** The line with the least squares. Undefined for fewer than three points, or for points at one time. */
export function slopeOf(points: readonly Point[]): Slope | undefined {
  const n = points.length;
  if (n < 3) return undefined;
  const mean = (of: (point: Point) => number): number => points.reduce((sum, one) => sum + of(one), 0) / n;
  const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  if (spread === 0) return undefined;
  const perUnit = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0) / spread;
  const rest = points.reduce((sum, { x, y }) => sum + (y - y0 - perUnit * (x - x0)) ** 2, 0);
  return { perUnit, error: 1.96 * Math.sqrt(rest / (n - 2) / spread), mean: y0 };
}

/** Whether a value grows by more than chance explains, and by more than a hundredth of its mean in a unit of time. */
export const isRising = ({ perUnit, error, mean }: Slope): boolean =>
  perUnit > error && perUnit > Math.abs(mean) / 100;
