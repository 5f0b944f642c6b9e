import type { Clock } from '@orch/machinery';
import { whenSettled } from '@orch/machinery/concurrency';
import {
  type Answer,
  type ChunksReply,
  CLIENT_GONE_CODE,
  type Handler,
  type Observed,
  type Reply,
  type Stage,
  type StreamReply,
  type Trace,
  type UpgradeReply,
  type WithInfo,
} from '@orch/request';
import { dryRunOf, fieldValidationOf } from '../metrics/request-labels.ts';
import type { RequestMetrics, RequestSeries } from '../metrics/request-metrics.ts';
import type { RequestRecords } from '../records/index.ts';
import type { Tracing } from '../tracing/index.ts';
import type { AccessLog } from './access-log.ts';
import type { Failed } from './recover.ts';

interface Exchange extends WithInfo {
  readonly trace: Trace;
  readonly series: RequestSeries;
  readonly started: number;
  /** The trace of the request, if it is sampled. */
  readonly traceId: string | undefined;
  /** The reason of the failure; undefined while no stage threw. */
  error: unknown;
}

interface ObserveOptions {
  readonly clock: Clock;
  readonly accessLog: AccessLog;
  readonly metrics: RequestMetrics;
  readonly failed: Failed;
  /** Whether writes support the parameter `fieldValidation`. */
  readonly heedsFieldValidation: boolean;
  readonly tracing?: Tracing | undefined;
  /** Remembers requests; none are remembered when absent. */
  readonly records?: Pick<RequestRecords, 'ended'> | undefined;
}

/**
 * Counts, times and logs requests. Errors of inner stages become error replies here, so that they are counted with
 * the code that the client receives.
 */
export function observe(options: ObserveOptions): Stage<WithInfo, Observed> {
  const observer = new RequestObserver(options);
  return (context, next) => observer.handle(context, next);
}

class RequestObserver {
  readonly #options: ObserveOptions;

  constructor(options: ObserveOptions) {
    this.#options = options;
  }

  handle({ request, info }: WithInfo, next: Handler<Observed>): Answer {
    const { clock, metrics, tracing } = this.#options;
    const exchange: Exchange = {
      request,
      info,
      // With the fields that every request sets: fields that are added later cost an allocation.
      trace: { user: '', identity: undefined, flow: undefined },
      series: metrics.of(info),
      started: clock.monotonic(),
      traceId: tracing?.traceId(),
      error: undefined,
    };
    let answer: Answer;
    try {
      answer = next({ request, info, trace: exchange.trace });
    } catch (error) {
      return this.#failed(error, exchange);
    }
    return whenSettled(answer, this.#answered, this.#failed, exchange);
  }

  // Arrow functions, because they are passed on as continuations.

  readonly #answered = (reply: Reply, exchange: Exchange): Reply => {
    try {
      return this.#watched(reply, exchange);
    } catch (error) {
      return this.#failed(error, exchange);
    }
  };

  readonly #failed = (error: unknown, exchange: Exchange): Reply => {
    exchange.error = error;
    return this.#watched(this.#options.failed(error, exchange.request), exchange);
  };

  #watched(reply: Reply, exchange: Exchange): Reply {
    switch (reply.kind) {
      case 'bytes':
        exchange.series.size(reply.body.length);
        this.#finished(exchange, reply.status, reply.body.length);
        return reply;
      case 'chunks':
        return this.#watchedChunks(exchange, reply);
      case 'stream':
        return this.#watchedStream(exchange, reply);
      case 'upgrade':
        return this.#watchedUpgrade(exchange, reply);
    }
  }

  #finished(exchange: Exchange, code: number, bytes: number): void {
    const { request, info, series, started, trace, traceId } = exchange;
    const { clock, metrics, heedsFieldValidation, records } = this.#options;
    const durationMs = clock.monotonic() - started;
    const total = durationMs / 1000;
    const own = trace.excludedMs === undefined ? total : Math.max(0, (durationMs - trace.excludedMs) / 1000);
    const exemplar = traceId === undefined ? undefined : { traceId, time: clock.now() };
    series.done(code, dryRunOf(info, request), { total, own, exemplar });
    const validation = fieldValidationOf(info, request);
    if (validation !== undefined) metrics.validated(validation, heedsFieldValidation, total);
    records?.ended(exchange, { code, durationMs, error: exchange.error });
    if (code === 429 || code === 504) series.terminated(code);
    this.#options.accessLog.finished({ request, info, trace, code, bytes, durationMs });
  }

  #watchedChunks(exchange: Exchange, reply: ChunksReply): ChunksReply {
    return {
      ...reply,
      onSent: (bytes, complete) => {
        reply.onSent?.(bytes, complete);
        if (complete) exchange.series.size(bytes);
        else exchange.series.aborted();
        this.#finished(exchange, complete ? reply.status : CLIENT_GONE_CODE, bytes);
      },
    };
  }

  #watchedStream(exchange: Exchange, reply: StreamReply): StreamReply {
    return {
      ...reply,
      run: async (sink, signals) => {
        const end = exchange.series.begin();
        try {
          await reply.run(sink, signals);
        } finally {
          end();
          this.#finished(exchange, reply.status, 0);
        }
      },
    };
  }

  #watchedUpgrade(exchange: Exchange, reply: UpgradeReply): UpgradeReply {
    return {
      ...reply,
      run: async (client, signals) => {
        const end = exchange.series.begin();
        try {
          await reply.run(client, signals);
        } finally {
          end();
          this.#finished(exchange, reply.status, 0);
        }
      },
      abandon: () => {
        reply.abandon();
        exchange.series.aborted();
        this.#finished(exchange, CLIENT_GONE_CODE, 0);
      },
    };
  }
}
