import { type Env, encodeJson, sleep, withDeadline } from '@orch/machinery';
import type { AuditSink } from '../event/types.ts';
import { type BatchOptions, BatchSink, type Deliver } from './batch-sink.ts';

/** Sends a body by POST; resolves with the code of the answer. Rejects when there is none. */
export type PostJson = (body: Buffer, signal: AbortSignal) => Promise<{ readonly status: number }>;

/** A batch that one of these answers to was not taken, and another attempt may have better luck. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

const ATTEMPTS = 5;
const BACKOFF_FACTOR = 1.5;
const POST_TIMEOUT_MS = 30_000;

/** Sends events in batches to a service. What is not taken after five attempts is given up and counted. */
export function webhookSink(
  options: BatchOptions & {
    readonly initialBackoffMs: number;
    readonly post: PostJson;
    /** Of the lists that events are sent in. */
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
      log.error('audit events were lost on their way to the webhook', { count, error });
      lost(count);
    },
  });
}
