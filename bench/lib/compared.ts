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

type Run = () => Promise<Measured>;
type Runs = Readonly<Record<string, Run>>;
type TurnsOf<T extends Runs> = { readonly [K in keyof T]: Turns };

/** Runs that are measured one after another in every turn, so that other load on the machine affects all of them. */
export const compared = <const T extends Runs>(turns: number, runs: T): Promise<TurnsOf<T>> =>
  inEveryTurn(turns, runs, async (order) => {
    const measured: Measured[] = [];
    for (const run of order) measured.push(await run());
    return measured;
  });

/**
 * Runs of different processes that are measured at the same time in every turn. Other load on the machine changes within
 * milliseconds, and affects them equally only then. For many short turns.
 */
export const sideBySide = <const T extends Runs>(turns: number, runs: T): Promise<TurnsOf<T>> =>
  inEveryTurn(turns, runs, (order) => Promise.all(order.map((run) => run())));

async function inEveryTurn<T extends Runs>(
  turns: number,
  runs: T,
  perform: (order: readonly Run[]) => Promise<readonly Measured[]>,
): Promise<TurnsOf<T>> {
  const costs = new Map(Object.keys(runs).map((name) => [name, [] as number[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    // The order alternates, so that each run pays equally for the garbage of the others.
    const order = turn % 2 === 0 ? Object.entries(runs) : Object.entries(runs).reverse();
    const measured = await perform(order.map(([, run]) => run));
    for (const [index, [name]] of order.entries())
      costs.get(name)?.push(measured[index]?.cpuPerOp ?? Number.NaN);
  }
  return Object.fromEntries([...costs].map(([name, perTurn]) => [name, turnsOf(perTurn)])) as TurnsOf<T>;
}

/** All turns of several measurements of the same runs, in other processes. */
export function pooled<T extends Readonly<Record<string, Turns>>>(parts: readonly [T, ...T[]]): T {
  const [{ ...first }] = parts;
  const names = Object.keys(first);
  return Object.fromEntries(
    names.map((name) => [name, turnsOf(parts.flatMap((part) => part[name]?.perTurn ?? []))]),
  ) as T;
}

/** The interval that contains the true median with 95 % confidence, by order statistics. */
function medianInterval(values: readonly number[]): readonly [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const half = 0.98 * Math.sqrt(sorted.length);
  const at = (rank: number): number =>
    sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(rank)))] ?? Number.NaN;
  return [at(sorted.length / 2 - half), at(sorted.length / 2 + half)];
}

/** The precision of a median, for the note of a result. */
export function medianNote(values: readonly number[], digits: number): string {
  const [low, high] = medianInterval(values);
  return `median of ${values.length} turns, at 95 % confidence ${low.toFixed(digits)} to ${high.toFixed(digits)}`;
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
  return {
    what,
    unit,
    value: floor * ratio,
    floor,
    ratio,
    target: floor * factor,
    note: `${note}; ratio: ${medianNote(ratios, 3)}`,
  };
}
