import { setTimeout as sleepFor } from 'node:timers/promises';
import type { TypedClient } from '@orch/client';
import type { Random } from '@orch/machinery';
import type { Latencies } from './latencies.ts';

/** The size and the rates of a load. */
export interface LoadOptions {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Pods that are created, and as many that are deleted, in a second. */
  readonly podsPerSecond: number;
  readonly namespaces: number;
}

/** The parts of the programs that make up a cluster. */
export interface LoadContext {
  readonly options: LoadOptions;
  /** The client with the number of a connection: requests of many agents need several. */
  readonly clientOf: (number: number) => TypedClient;
  readonly latencies: Latencies;
  readonly random: Random;
  readonly signal: AbortSignal;
}

export const nodeName = (i: number): string => `node-${i}`;
export const namespaceOf = ({ namespaces }: LoadOptions, i: number): string => `load-${i % namespaces}`;

/** Resolves early when the load ends. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepFor(Math.max(0, ms), undefined, { signal }).catch(() => undefined);

/** Calls `work` at a steady rate until the load ends; calls that take long overlap. */
export async function paced(
  perSecond: number,
  signal: AbortSignal,
  work: (i: number) => Promise<void>,
): Promise<void> {
  if (perSecond <= 0) return;
  const began = performance.now();
  const running = new Set<Promise<void>>();
  for (let i = 0; !signal.aborted; i++) {
    await pause(began + (i * 1000) / perSecond - performance.now(), signal);
    if (signal.aborted) break;
    const done = work(i).finally(() => running.delete(done));
    running.add(done);
  }
  await Promise.all(running);
}

/** Calls `work` with the numbers below `count`, some at a time. */
export async function eachOf(
  count: number,
  width: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
