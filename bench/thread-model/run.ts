/**
 * `scripts/node bench/thread-model/run.ts`: what limits a server with 8 and 32 threads, from costs that were measured with few
 * threads. Prints the limit of each part, and the latency of reads by a simulation of the queues at a share of the lowest limit.
 */
import { seededRandom } from '@orch/machinery/testing';
import { eventMicros, p99, Queues, untilNext } from '../lib/queues.ts';

/** Costs in µs of CPU; their sources are docs/performance.md, `packages/cache/bench/threads.ts` and design 0020. */
const cost = {
  read: 32.6,
  /** Without the event. */
  write: 117,
  /** A transaction of the writer of the embedded store that commits many writes together. */
  commit: 12,
  /** The line of a request in the audit file, under the lock. */
  auditLine: 5,
};

/** The share of writes among requests, and whether an audit file has a line for each request. */
const loads = [
  { name: 'reads', writes: 0, audit: false },
  { name: '10 % writes', writes: 0.1, audit: false },
  { name: 'reads, all in the audit file', writes: 0, audit: true },
  { name: 'writes', writes: 1, audit: false },
] as const;

type Load = (typeof loads)[number];

const MILLION = 1e6;
const SHARE = 0.7;
const REQUESTS = 200_000;

/** µs of each part for one request. */
function parts(threads: number, { writes, audit }: Load): Readonly<Record<string, number>> {
  const request = (1 - writes) * cost.read + writes * cost.write + (audit ? cost.auditLine : 0);
  const feed = eventMicros.inFirst + (threads - 1) * eventMicros.forEach;
  return {
    [writes === 0 ? 'every thread' : 'first thread']: request / threads + writes * feed,
    'further thread': threads === 1 ? 0 : request / threads + writes * eventMicros.inFurther,
    'writer of the embedded store': writes * cost.commit,
    'audit file': audit ? cost.auditLine : 0,
  };
}

/** The 99th percentile of the latency of reads in µs, in the first thread and in the others, at a rate of requests. */
function latency(count: number, load: Load, perSecond: number): readonly [first: number, others: number] {
  const random = seededRandom(1);
  const threads = new Queues(count);
  const file = new Queues(1);
  const first: number[] = [];
  const others: number[] = [];
  let now = 0;
  for (let i = 0; i < REQUESTS; i++) {
    now += untilNext(MILLION / perSecond, random.int(MILLION) / MILLION);
    const thread = random.int(count);
    const isWrite = random.int(1000) < load.writes * 1000;
    const served = threads.work(thread, now, isWrite ? cost.write : cost.read);
    const end = load.audit ? file.work(0, served, cost.auditLine) : served;
    if (!isWrite) (thread === 0 ? first : others).push(end - now);
    if (!isWrite) continue;
    threads.work(0, now, eventMicros.inFirst + (count - 1) * eventMicros.forEach);
    for (let other = 1; other < count; other++) threads.work(other, now, eventMicros.inFurther);
  }
  return [p99(first), p99(others)];
}

/** The 99th percentile in the first thread and in the others; nothing where there are no reads or no others. */
function latencyCell(threads: number, load: Load, perSecond: number): string {
  if (load.writes === 1) return '';
  const [first, others] = latency(threads, load, perSecond);
  return threads === 1 ? `${first}` : `${first}, ${others}`;
}

const thousands = (value: number): string => `${(value / 1000).toFixed(0)},000`;

process.stdout.write('| load | threads | requests per second | limited by | p99 of reads in µs |\n');
for (const load of loads)
  for (const threads of [1, 2, 8, 32]) {
    const [[limiting, micros] = ['', 1]] = Object.entries(parts(threads, load)).sort(([, a], [, b]) => b - a);
    const limit = MILLION / micros;
    const cells = [load.name, threads, thousands(limit), limiting, latencyCell(threads, load, limit * SHARE)];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
