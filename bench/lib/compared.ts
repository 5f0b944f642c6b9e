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

/** Medians of the turns of an operation and of the one that it is compared to; the note has the spread of their ratios. */
export function besideOther(
  { what, unit, factor, note }: Comparison,
  { perTurn, median }: Turns,
  other: Turns,
): BenchResult {
  const scale = unit === 'ms CPU' ? 1000 : 1;
  const ratios = perTurn.map((cost, turn) => cost / (other.perTurn[turn] ?? Number.NaN));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return {
    what,
    unit,
    value: median / scale,
    floor: other.median / scale,
    ratio: median / other.median,
    target: (other.median / scale) * factor,
    note: `${note}; medians of ${perTurn.length} turns, whose ratios are ${least.toFixed(2)} to ${most.toFixed(2)}`,
  };
}
