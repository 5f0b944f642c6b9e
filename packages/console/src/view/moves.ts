/** Where the chosen row of a list is. */
export interface Position {
  /** -1 for none. */
  readonly place: number;
  readonly count: number;
  /** Rows that fit into the window. */
  readonly pageRows: number;
}

/** The row to which a key leads; undefined for a key that does not move. */
export function moved(key: string, { place, count, pageRows }: Position): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows },
    ...{ Home: -count, End: count, j: 1, k: -1 },
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined || count === 0) return undefined;
  return Math.min(count - 1, Math.max(0, place + step));
}
