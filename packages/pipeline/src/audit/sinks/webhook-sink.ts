import type { Env } from '@orch/machinery';
import { sleep, withDeadline } from '@orch/machinery/concurrency';
import { encodeJson } from '@orch/machinery/json';
import type { AuditSink } from '../event/types.ts';
import { type BatchOptions, BatchSink, type Deliver } from './batch-sink.ts';

/** Sends a body by POST; resolves with the status code. Rejects without an answer. */
export type PostJson = (body: Buffer, signal: AbortSignal) => Promise<{ readonly status: number }>;

/** Status codes after which the batch is sent again. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

const ATTEMPTS = 5;
const BACKOFF_FACTOR = 1.5;
const POST_TIMEOUT_MS = 30_000;

/** Sends events in batches to a webhook. After five attempts a batch is given up and counted. */
export function webhookSink(
  options: BatchOptions & {
    readonly initialBackoffMs: number;
    readonly post: PostJson;
    /** Type of the list in which events are sent. */
    readonly apiVersion: string;
  },
  env: Env,
  lost: (count: number) => void,
): AuditSink {
  const { clock, log } = env;
  const head = { kind: 'EventList', apiVersion: options.apiVersion, metadata: {} };
  const deliver: Deliver = async (items, signal) => {
    const body = encodeJson({ ...head, items });
    let backoffMs = options.initialBackoffMs;
    for (let attempt = 1; ; attempt++) {
      const problem = await attemptPost(body, signal);
      if (problem === undefined) return;
      if (!problem.isPassing || attempt === ATTEMPTS || signal.aborted) throw problem.error;
      await sleep(clock, backoffMs, signal);
      backoffMs *= BACKOFF_FACTOR;
    }
  };
  async function attemptPost(body: Buffer, signal: AbortSignal) {
    using limit = withDeadline(signal, clock, POST_TIMEOUT_MS);
    try {
      const { status } = await options.post(body, limit.signal);
      if (status >= 200 && status < 300) return undefined;
      return { error: new Error(`the audit webhook answered ${status}`), isPassing: isPassing(status) };
    } catch (error) {
      return { error, isPassing: true };
    }
  }
  return new BatchSink('webhook', options, {
    clock,
    deliver,
    lost(count, error) {
      log.error('audit events could not be delivered to the webhook', { count, error });
      lost(count);
    },
  });
}
