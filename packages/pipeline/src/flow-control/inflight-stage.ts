import { errors, type Metrics } from '@orch/machinery';
import { type Answer, type Identified, isLongRunning, isReadOnly, type Stage } from '@orch/request';
import type { SharedInflight } from './shared-inflight.ts';

/**
 * Limits executing requests, read-only and mutating ones separately; beyond the limit they are refused with 429 and
 * `Retry-After`. Long-running requests do not count. A limit of 0 disables it. Members of `exemptGroup` are never refused,
 * so that an administrator can still act on an overloaded server.
 */
export function limitInflight(options: {
  readonly metrics: Metrics;
  readonly maxReadOnly: number;
  readonly maxMutating: number;
  readonly exemptGroup: string;
  /** Those of all threads of the process, which the limits are for. */
  readonly shared?: SharedInflight | undefined;
}): { readonly stage: Stage<Identified>; inflight(): number } {
  const peaks = new InflightPeaks(options.metrics, options.shared);
  const stage: Stage<Identified> = (context, next) => {
    if (isLongRunning(context.info)) return next(context);
    const isRead = isReadOnly(context.info);
    const limit = isRead ? options.maxReadOnly : options.maxMutating;
    if (peaks.reserve(isRead) > limit && limit > 0 && !context.user.groups.includes(options.exemptGroup)) {
      peaks.dropped(isRead);
      throw errors.tooManyRequests('Too many requests, please try again later.');
    }
    return counted({ peaks, isRead }, next, context);
  };
  return { stage, inflight: () => peaks.total };
}

/** Counts a request while it executes. Cheaper than `finally`, which takes two more microtasks. */
export function counted<In>(
  { peaks, isRead }: { readonly peaks: InflightPeaks; readonly isRead: boolean },
  work: (input: In) => Answer,
  input: In,
): Answer {
  peaks.begin(isRead);
  let answer: Answer;
  try {
    answer = work(input);
  } catch (error) {
    peaks.end(isRead);
    throw error;
  }
  if (!(answer instanceof Promise)) {
    peaks.end(isRead);
    return answer;
  }
  return answer.then(
    (reply) => {
      peaks.end(isRead);
      return reply;
    },
    (error: unknown) => {
      peaks.end(isRead);
      throw error;
    },
  );
}

/** A number of requests, and its maximum since the last scrape. */
class Peak {
  current = 0;
  #highest = 0;

  begin(): void {
    this.current++;
    if (this.current > this.#highest) this.#highest = this.current;
  }

  end(): void {
    this.current--;
  }

  /** The maximum; the next one begins with the current number. */
  take(): number {
    const highest = this.#highest;
    this.#highest = this.current;
    return highest;
  }
}

/** Requests of one kind. */
interface Lane {
  readonly inflight: Peak;
  readonly waiting: Peak;
}

/** Counts requests that execute or wait for seats, read-only and mutating ones separately. */
export class InflightPeaks {
  readonly #readOnly: Lane = { inflight: new Peak(), waiting: new Peak() };
  readonly #mutating: Lane = { inflight: new Peak(), waiting: new Peak() };
  readonly #dropped;
  readonly #shared: SharedInflight | undefined;

  constructor(metrics: Metrics, shared?: SharedInflight) {
    this.#shared = shared;
    const gauge = metrics.gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Most requests in flight at one time since the last scrape, by kind.',
      labels: ['request_kind'],
      stability: 'STABLE',
    });
    this.#dropped = metrics.counter({
      name: 'apiserver_dropped_requests_total',
      help: 'Requests refused with 429 because too many were in flight, by kind.',
      labels: ['request_kind'],
      stability: 'ALPHA',
      deprecatedFrom: '1.24',
    });
    const waiting = metrics.gauge({
      name: 'apiserver_current_inqueue_requests',
      help: 'Most requests in queues of flow control at one time since the last scrape, by kind.',
      labels: ['request_kind'],
      stability: 'ALPHA',
    });
    const lanes = [
      { lane: this.#readOnly, inflight: gauge.series('readOnly'), inqueue: waiting.series('readOnly') },
      { lane: this.#mutating, inflight: gauge.series('mutating'), inqueue: waiting.series('mutating') },
    ];
    metrics.onCollect(() => {
      for (const { lane, inflight, inqueue } of lanes) {
        inflight.set(lane.inflight.take());
        inqueue.set(lane.waiting.take());
      }
    });
  }

  get total(): number {
    return this.#readOnly.inflight.current + this.#mutating.inflight.current;
  }

  /** The number of requests with one more, which then begins or is dropped. */
  reserve(isReadOnly: boolean): number {
    return this.#shared?.begin(isReadOnly) ?? this.#lane(isReadOnly).inflight.current + 1;
  }

  begin(isReadOnly: boolean): void {
    this.#lane(isReadOnly).inflight.begin();
  }

  end(isReadOnly: boolean): void {
    this.#lane(isReadOnly).inflight.end();
    this.#shared?.end(isReadOnly);
  }

  beginWaiting(isReadOnly: boolean): void {
    this.#lane(isReadOnly).waiting.begin();
  }

  endWaiting(isReadOnly: boolean): void {
    this.#lane(isReadOnly).waiting.end();
  }

  dropped(isReadOnly: boolean): void {
    this.#shared?.end(isReadOnly);
    this.#dropped.series(isReadOnly ? 'readOnly' : 'mutating').inc();
  }

  #lane(isReadOnly: boolean): Lane {
    return isReadOnly ? this.#readOnly : this.#mutating;
  }
}
