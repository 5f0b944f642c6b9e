import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection, type RawTarget } from './raw-client.ts';

export interface VictimOptions {
  readonly request: Buffer;
  /** Time between the beginnings of two requests of one connection. */
  readonly intervalMs: number;
  readonly connections: number;
}

/** The latencies of requests at a fixed rate, each from the time at which it was due. */
export async function latenciesOf(
  target: RawTarget,
  { request, intervalMs, connections }: VictimOptions,
  ended: AbortSignal,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  const one = async (index: number): Promise<void> => {
    let due = performance.now() + (index * intervalMs) / connections;
    using connection = await RawConnection.open(target);
    do {
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      const { status, beginning } = await connection.exchange(request);
      if (status !== 200) throw new Error(`${status} for ${request.subarray(0, 80)}: ${beginning}`);
      latencies.push(performance.now() - Math.min(due, performance.now()));
      due += intervalMs;
    } while (!ended.aborted);
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => one(index)));
  return latencies;
}

/** A percentile of some values, by rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
