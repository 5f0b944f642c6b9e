import type { Clock, Logger, Metrics, Random } from '@orch/machinery';
import { DeadlineQueue, TokenBucket, type Turns } from '@orch/machinery/concurrency';
import type { Answer, ApiRequest } from '@orch/request';
import type { HttpLimits } from './limits.ts';
import type { SlicePool } from './slice-pool.ts';

/** The shared state of all connections of a listener. */
export interface HttpService {
  /** Answers a request; `headBytes` is the size of its head. Neither throws nor rejects. */
  readonly handle: (request: ApiRequest, headBytes: number) => Answer;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly limits: HttpLimits;
  readonly timeouts: ConnectionTimeouts;
  /** Aborts when open streams should end cleanly. */
  readonly draining: AbortSignal;
  /** True when connections end with their current replies. */
  readonly isClosing: () => boolean;
  /** Buffers for coalescing small chunks. */
  readonly slices: SlicePool;
  /** For slices of large replies. */
  readonly turns: Turns;
  /** Takes a record of TLS that a client sent after its last reply; false when there were too many, of whichever clients. */
  readonly takeLateRecord: () => boolean;
  /** Value of the `Date` header field. */
  readonly date: () => string;
  /** Counts connections and messages that are answered or ended here, before there is a request. */
  readonly refusals: Refusals;
}

/** The most bytes of a record of TLS. */
export const TLS_RECORD_BYTES = 16 * 1024;

/** The bytes that clients may send after their last replies, counted in records. */
export function lateRecords(
  clock: Clock,
  { lateBurstBytes, lateBytesPerSecond }: HttpLimits,
): HttpService['takeLateRecord'] {
  const rate = { qps: lateBytesPerSecond / TLS_RECORD_BYTES, burst: lateBurstBytes / TLS_RECORD_BYTES };
  const records = new TokenBucket(rate, clock.monotonic());
  return () => {
    const isLeft = records.hasToken(clock.monotonic());
    if (isLeft) records.take();
    return isLeft;
  };
}

/** Counts malformed requests, which no handler sees and no audit event records. */
export interface Refusals {
  /** A head over HTTP/1 was answered with this status. */
  answered(status: number): void;
  /** A connection over HTTP/2 was ended, without an answer. */
  ended(): void;
}

export function refusalCounter(metrics: Metrics): Refusals {
  const refusals = metrics.counter({
    name: 'apiserver_http_refusals_total',
    help: 'Malformed heads answered before they were requests, and HTTP/2 connections ended for malformed or too many frames.',
    labels: ['protocol', 'code'],
    stability: 'ALPHA',
  });
  const ended = refusals.series('HTTP/2', '');
  return {
    answered: (status) => refusals.series('HTTP/1', String(status)).inc(),
    ended: () => ended.inc(),
  };
}

/** One deadline queue per timeout of a connection. */
export interface ConnectionTimeouts {
  readonly head: DeadlineQueue;
  readonly idle: DeadlineQueue;
  readonly stall: DeadlineQueue;
  readonly patience: DeadlineQueue;
  readonly linger: DeadlineQueue;
  readonly drainIdle: DeadlineQueue;
  readonly inspection: DeadlineQueue;
  readonly endInspection: DeadlineQueue;
  close(): void;
}

export function connectionTimeouts(clock: Clock, limits: HttpLimits): ConnectionTimeouts {
  const head = new DeadlineQueue(clock, limits.headTimeoutMs);
  const idle = new DeadlineQueue(clock, limits.idleTimeoutMs);
  const stall = new DeadlineQueue(clock, limits.stallTimeoutMs);
  const patience = new DeadlineQueue(clock, limits.patienceTimeoutMs);
  const linger = new DeadlineQueue(clock, limits.lingerTimeoutMs);
  const drainIdle = new DeadlineQueue(clock, limits.drainIdleTimeoutMs);
  const inspection = new DeadlineQueue(clock, limits.inspectionIntervalMs);
  const endInspection = new DeadlineQueue(clock, limits.endInspectionIntervalMs);
  return {
    head,
    idle,
    stall,
    patience,
    linger,
    drainIdle,
    inspection,
    endInspection,
    close() {
      for (const queue of [head, idle, stall, patience, linger, drainIdle, inspection, endInspection])
        queue.close();
    },
  };
}

/** Resolution of the probability in `isLastByChance`. */
const CHANCES = 1_000_000;

/** Reports whether a client should connect again after this request: a load balancer may choose another server then. */
export const isLastByChance = ({ limits: { goawayChance }, random }: HttpService): boolean =>
  goawayChance > 0 && random.int(CHANCES) < goawayChance * CHANCES;

/** The date in HTTP format, computed once a second. */
export function httpDate(clock: Clock): () => string {
  let second = -1;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
