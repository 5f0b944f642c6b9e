import type { BenchResult, Measured } from './measure.ts';

/** Costs of one kind of operation in several turns, µs of CPU each. */
interface Turns {
  readonly perTurn: readonly number[];
  readonly median: number;
}

/** The median. */
export function middle(values: readonly number[]): number {
  const value = [...values].sort((a, b) => a - b)[values.length >> 1];
  if (value === undefined) throw new RangeError('no turns');
  return value;
}

/** The range of the middle half. */
export function quartiles(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return [at(sorted.length >> 2), at(sorted.length - 1 - (sorted.length >> 2))];
}

const turnsOf = (perTurn: readonly number[]): Turns => ({ perTurn, median: middle(perTurn) });

/** Runs that are measured one after another in every turn, so that other load on the machine affects all of them. */
export async function compared<const T extends Readonly<Record<string, () => Promise<Measured>>>>(
  turns: number,
  runs: T,
): Promise<{ readonly [K in keyof T]: Turns }> {
  const costs = new Map(Object.keys(runs).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    // The order alternates: what a run leaves to the garbage collector is paid for by each of the others.
    const order = turn % 2 === 0 ? Object.entries(runs) : Object.entries(runs).reverse();
    for (const [name, run] of order) costs.get(name)?.push((await run()).cpuPerOp);
  }
  return Object.fromEntries([...costs].map(([name, perTurn]) => [name, turnsOf(perTurn)])) as {
    readonly [K in keyof T]: Turns;
  };
}

export interface Comparison {
  readonly what: string;
  readonly unit: 'µs CPU' | 'ms CPU' | 'µs CPU per event';
  readonly factor: number;
  readonly note: string;
}

/**
 * Compares the turns of an operation with those of another one, the floor. The ratio is the median of the ratios of all turns: a
 * turn in which other load slows down the machine affects both. The value is that multiple of the floor.
 */
export function besideOther(
  { what, unit, factor, note }: Comparison,
  { perTurn }: Turns,
  other: Turns,
): BenchResult {
  const scale = unit === 'ms CPU' ? 1000 : 1;
  const ratios = perTurn.map((cost, turn) => cost / (other.perTurn[turn] ?? Number.NaN));
  const ratio = middle(ratios);
  const floor = other.median / scale;
  const [low, high] = quartiles(ratios);
  return {
    what,
    unit,
    value: floor * ratio,
    floor,
    ratio,
    target: floor * factor,
    note: `${note}; median of the ratios of ${perTurn.length} turns, half of which are ${low.toFixed(2)} to ${high.toFixed(2)}`,
  };
}
