import type { Clock, Logger } from '@orch/machinery';
import { dryRunOf } from '../metrics/request-labels.ts';
import type { RequestMetrics, RequestSeries } from '../metrics/request-metrics.ts';
import { clientGoneCode } from '../request/abort.ts';
import type { Observed, Trace } from '../request/contexts.ts';
import { isLongRunning } from '../request/long-running.ts';
import type { ChunksReply, Reply, Stage, StreamReply, UpgradeReply, WithInfo } from '../request/types.ts';
import type { Failed } from './recover.ts';

const slowMs = 1000;

interface Exchange {
  readonly context: WithInfo;
  readonly trace: Trace;
  readonly series: RequestSeries;
  readonly started: number;
}

/**
 * Counts, times and logs requests. What fails further inside becomes its error reply here, so that it is counted with
 * the code that the client sees.
 */
export function observe(options: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  readonly failed: Failed;
}): Stage<WithInfo, Observed> {
  const { clock, log, metrics, failed } = options;

  function finished(exchange: Exchange, code: number, bytes: number): void {
    const { context, series, started } = exchange;
    const durationMs = clock.monotonic() - started;
    series.done(code, dryRunOf(context.info, context.request), durationMs / 1000);
    if (code === 429 || code === 504) series.terminated(code);
    const isSlow = durationMs > slowMs && !isLongRunning(context.info);
    if (isSlow || code >= 500 || log.enabled(3))
      write(exchange, code, bytes, durationMs, isSlow || code >= 500);
  }

  function write(
    exchange: Exchange,
    code: number,
    bytes: number,
    durationMs: number,
    isWarning: boolean,
  ): void {
    const { request, info } = exchange.context;
    const fields = {
      requestId: request.id,
      verb: info.verb,
      method: request.method,
      uri: request.rawQuery === '' ? request.rawPath : `${request.rawPath}?${request.rawQuery}`,
      code,
      bytes,
      durationMs: Math.round(durationMs * 10) / 10,
      user: exchange.trace.user,
      ...(exchange.trace.impersonated === undefined ? {} : { actingAs: exchange.trace.impersonated.name }),
      userAgent: request.headers['user-agent'] ?? '',
      client: request.remoteAddress,
    };
    if (isWarning) log.warn('request was slow or failed', fields);
    else log.debug(3, 'request', fields);
  }

  function watched(exchange: Exchange, reply: Reply): Reply {
    if (reply.kind === 'bytes') {
      exchange.series.size(reply.body.length);
      finished(exchange, reply.status, reply.body.length);
      return reply;
    }
    switch (reply.kind) {
      case 'chunks':
        return watchedChunks(exchange, reply);
      case 'stream':
        return watchedStream(exchange, reply);
      case 'upgrade':
        return watchedUpgrade(exchange, reply);
    }
  }

  const watchedChunks = (exchange: Exchange, reply: ChunksReply): ChunksReply => ({
    ...reply,
    onSent(bytes, complete) {
      reply.onSent?.(bytes, complete);
      if (complete) exchange.series.size(bytes);
      else exchange.series.aborted();
      finished(exchange, complete ? reply.status : clientGoneCode, bytes);
    },
  });

  const watchedStream = (exchange: Exchange, reply: StreamReply): StreamReply => ({
    ...reply,
    async run(sink, signals) {
      const end = exchange.series.begin();
      try {
        await reply.run(sink, signals);
      } finally {
        end();
        finished(exchange, reply.status, 0);
      }
    },
  });

  const watchedUpgrade = (exchange: Exchange, reply: UpgradeReply): UpgradeReply => ({
    ...reply,
    async run(client, signals) {
      const end = exchange.series.begin();
      try {
        await reply.run(client, signals);
      } finally {
        end();
        finished(exchange, reply.status, 0);
      }
    },
    abandon() {
      reply.abandon();
      exchange.series.aborted();
      finished(exchange, clientGoneCode, 0);
    },
  });

  return (context, next) => {
    const { request, info } = context;
    const exchange: Exchange = {
      context,
      trace: { user: '' },
      series: metrics.of(info),
      started: clock.monotonic(),
    };
    const fail = (error: unknown): Reply => watched(exchange, failed(error, request));
    try {
      const answer = next({ request, info, trace: exchange.trace });
      return answer instanceof Promise
        ? answer.then((reply) => watched(exchange, reply), fail)
        : watched(exchange, answer);
    } catch (error) {
      return fail(error);
    }
  };
}
