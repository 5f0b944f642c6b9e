const SWEEPS = 20_000;
/** A coordinate that changes by less, relative to its value, has converged. */
const TOLERANCE = 1e-10;

/**
 * The factors, none negative, with which rows of features come closest to measured values: the sum of the squares of the relative
 * errors is least. By descent along one coordinate after the other.
 */
export function fitted(rows: readonly (readonly number[])[], measured: readonly number[]): readonly number[] {
  const scaled = rows.map((row, i) => row.map((feature) => feature / (measured[i] || 1)));
  const count = rows[0]?.length ?? 0;
  const factors: number[] = Array.from({ length: count }, () => 0);
  const errors = measured.map(() => -1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let largest = 0;
    for (let j = 0; j < count; j++) {
      const column = scaled.map((row) => row[j] ?? 0);
      const square = column.reduce((sum, feature) => sum + feature * feature, 0);
      if (square === 0) continue;
      const slope = column.reduce((sum, feature, i) => sum + feature * (errors[i] ?? 0), 0);
      const before = factors[j] ?? 0;
      const after = Math.max(0, before - slope / square);
      for (const [i, feature] of column.entries()) errors[i] = (errors[i] ?? 0) + feature * (after - before);
      factors[j] = after;
      largest = Math.max(largest, Math.abs(after - before) / (after || 1));
    }
    if (largest < TOLERANCE) break;
  }
  return factors;
}

/** The value of features with the factors of a fit. */
export const weighted = (features: readonly number[], factors: readonly number[]): number =>
  features.reduce((sum, feature, i) => sum + feature * (factors[i] ?? 0), 0);
