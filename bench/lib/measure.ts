import { threadMicros } from './proc.ts';

export interface Measured {
  /** CPU of the process per operation, µs. */
  readonly cpuPerOp: number;
  /** The part of it that the busiest thread has used: the limit of the operations per second when all threads have a core. */
  readonly busiestPerOp: number;
  readonly opsPerSecond: number;
  readonly wallMsPerOp: number;
  readonly operations: number;
}

/** Runs `work`, which returns its number of operations, and measures the CPU of process `pid` meanwhile. */
export async function measure(pid: number, work: () => Promise<number>): Promise<Measured> {
  const before = threadMicros(pid);
  const started = process.hrtime.bigint();
  const operations = await work();
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  const used = [...threadMicros(pid)].map(([thread, micros]) => micros - (before.get(thread) ?? 0));
  return {
    cpuPerOp: used.reduce((sum, micros) => sum + micros, 0) / operations,
    busiestPerOp: Math.max(...used) / operations,
    opsPerSecond: operations / seconds,
    wallMsPerOp: (seconds * 1000) / operations,
    operations,
  };
}

/**
 * Measures several runs in short alternating rounds, so that other load on the machine affects all of them equally;
 * all rounds count.
 */
export async function inTurns<const T extends readonly (() => Promise<Measured>)[]>(
  turns: number,
  runs: T,
): Promise<{ readonly [I in keyof T]: Measured }> {
  const all = runs.map((): Measured[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, run] of runs.entries()) all[index]?.push(await run());
  }
  return all.map(together) as unknown as { readonly [I in keyof T]: Measured };
}

function together(parts: readonly Measured[]): Measured {
  const sum = (of: (part: Measured) => number): number =>
    parts.reduce((total, part) => total + of(part) * part.operations, 0);
  const operations = parts.reduce((total, part) => total + part.operations, 0);
  const wallMsPerOp = sum((part) => part.wallMsPerOp) / operations;
  return {
    cpuPerOp: sum((part) => part.cpuPerOp) / operations,
    busiestPerOp: sum((part) => part.busiestPerOp) / operations,
    wallMsPerOp,
    opsPerSecond: 1000 / wallMsPerOp,
    operations,
  };
}

/** One result of the report. `target` is an upper bound for `value` unless `atLeast` is set. */
export interface BenchResult {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  readonly floor?: number;
  readonly ratio?: number;
  readonly target: number;
  readonly atLeast?: boolean;
  /** The target is that of the reference machine, and is scaled on a slower one. */
  readonly onReference?: boolean;
  /** The part of the target that is a time on the reference machine, where the rest is a floor; scaled likewise. */
  readonly allowance?: number;
  readonly note?: string;
}

export const met = (row: BenchResult): boolean =>
  row.atLeast ? row.value >= row.target : row.value <= row.target;

/** A value and its floor, measured in the same run. */
interface FloorComparison {
  readonly value: number;
  readonly floor: number;
  /** Maximum ratio that meets the target. */
  readonly factor: number;
  readonly note?: string;
}

/** A result whose target is a multiple of a floor measured in the same run. */
export const againstFloor = (
  what: string,
  unit: string,
  { value, floor, factor, ...note }: FloorComparison,
): BenchResult => ({ what, unit, value, floor, ratio: value / floor, target: floor * factor, ...note });
