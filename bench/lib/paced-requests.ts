import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawAnswer, RawConnection, type RawTarget } from './raw-client.ts';

export interface PacedRequests {
  /** The next request; `last` is the answer to the last one on the same connection that was not refused. */
  next(last: RawAnswer | undefined): Buffer;
  /** Time between the beginnings of two requests of one connection. */
  readonly intervalMs: number;
  readonly connections: number;
}

/** A server, and the id of its process. */
interface Server {
  readonly target: RawTarget;
  readonly pid: number;
}

/** How long a request took, and how much CPU the main thread of the server used meanwhile, for whatever request. */
export interface Latency {
  readonly ms: number;
  readonly serverCpuMs: number;
  /** The server was too busy for the request (429). */
  readonly isRefused: boolean;
}

const TOO_MANY_REQUESTS = 429;

/** Whether a request was refused because the server is busy. Throws for any other failure. */
function isRefused(request: Buffer, { status, beginning }: RawAnswer): boolean {
  if (status !== 200 && status !== TOO_MANY_REQUESTS)
    throw new Error(`${status} for ${request.subarray(0, 80)}: ${beginning}`);
  return status === TOO_MANY_REQUESTS;
}

/**
 * The latencies of requests at a fixed rate, each from the time at which it was due. The CPU of the server counts only from the
 * beginning of the request; other load on the machine does not add to it.
 */
export async function latenciesOf(
  { target, pid }: Server,
  { next, intervalMs, connections }: PacedRequests,
  ended: AbortSignal,
): Promise<readonly Latency[]> {
  const latencies: Latency[] = [];
  const one = async (index: number): Promise<void> => {
    using connection = await RawConnection.open(target);
    let due = performance.now() + (index * intervalMs) / connections;
    let answer: RawAnswer | undefined;
    do {
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      const cpuBefore = mainThreadCpuMs(pid);
      const request = next(answer);
      const received = await connection.exchange(request);
      const wasRefused = isRefused(request, received);
      if (!wasRefused) answer = received;
      const ms = performance.now() - Math.min(due, performance.now());
      latencies.push({ ms, serverCpuMs: mainThreadCpuMs(pid) - cpuBefore, isRefused: wasRefused });
      due += intervalMs;
    } while (!ended.aborted);
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => one(index)));
  return latencies;
}

/** How many requests succeed in a second, and in a second of CPU of the main thread of the server. */
export interface Throughput {
  readonly perSecond: number;
  readonly perServerCpuSecond: number;
}

/** The throughput of connections that each send the next request as soon as they have an answer. */
export async function throughputOf(
  { target, pid }: Server,
  { request, connections }: { readonly request: Buffer; readonly connections: number },
  ended: AbortSignal,
): Promise<Throughput> {
  const began = performance.now();
  const cpuBefore = mainThreadCpuMs(pid);
  let answers = 0;
  const one = async (): Promise<void> => {
    using connection = await RawConnection.open(target);
    while (!ended.aborted) {
      if (!isRefused(request, await connection.exchange(request))) answers += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return {
    perSecond: (answers * 1000) / (performance.now() - began),
    perServerCpuSecond: (answers * 1000) / (mainThreadCpuMs(pid) - cpuBefore),
  };
}

const mainThreadCpuMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** A percentile of some values, by rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
