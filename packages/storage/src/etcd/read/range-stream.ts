import type { Cancel, Clock } from '@orch/machinery';
import type { EtcdClient } from '../client/etcd-client.ts';
import { decodeRangeStream, type RangeRequest, type WireKeyValue } from '../proto/kv.ts';
import type { StreamCall } from '../rpc/stream-call.ts';
import type { CallOptions } from '../rpc/unary-call.ts';

/**
 * Limit of messages that wait for the consumer; beyond it the server is stopped (it may then send one more stream
 * window).
 */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024;

/**
 * One `RangeStream` call: yields every message as it arrives. Ends early and returns false when the call fails,
 * usually because etcd is older than 3.7, or after `timeoutMs` without a message.
 */
export async function* streamRange(
  client: EtcdClient,
  clock: Clock,
  request: RangeRequest,
  options: CallOptions,
): AsyncGenerator<readonly WireKeyValue[], boolean> {
  options.signal.throwIfAborted();
  const session = new RangeStreamSession(client, clock, options.timeoutMs);
  const abort = (): void => session.finish(false);
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    if (!(await session.open(request, options))) return false;
    for (;;) {
      const kvs = await session.next();
      options.signal.throwIfAborted();
      if (kvs === undefined) return session.complete;
      yield kvs;
    }
  } finally {
    options.signal.removeEventListener('abort', abort);
    session.finish(false);
  }
}

class RangeStreamSession {
  readonly #client: EtcdClient;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #messages: Buffer[] = [];
  #call: StreamCall | undefined;
  #queuedBytes = 0;
  #held = false;
  #over = false;
  #cancelTimer: Cancel | undefined;
  #wake: (() => void) | undefined;
  /** The server reached the end of the range. */
  complete = false;

  constructor(client: EtcdClient, clock: Clock, timeoutMs: number) {
    this.#client = client;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** False when there is no token for it. */
  async open(request: RangeRequest, options: CallOptions): Promise<boolean> {
    const authenticated = await this.#client.authenticate(options).then(
      () => true,
      () => false,
    );
    if (!authenticated || this.#over) return false;
    this.#call = this.#client.rangeStream(request, options.timeoutMs, {
      message: (message) => this.#onMessage(message),
      draining: () => undefined,
      ended: (error) => this.finish(error === undefined),
    });
    this.#armTimer();
    return true;
  }

  /** The keys of the next message; undefined when the call has ended. */
  async next(): Promise<readonly WireKeyValue[] | undefined> {
    while (this.#messages.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const message = this.#messages.shift();
    if (message === undefined) return undefined;
    this.#queuedBytes -= message.length;
    if (this.#held && this.#queuedBytes <= MAX_QUEUED_BYTES) {
      this.#held = false;
      this.#call?.release();
      this.#armTimer();
    }
    return decodeRangeStream(message);
  }

  finish(complete: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.complete = complete;
    this.#cancelTimer?.();
    this.#call?.cancel();
    this.#notify();
  }

  #onMessage(message: Buffer): void {
    this.#messages.push(message);
    this.#queuedBytes += message.length;
    this.#cancelTimer?.();
    if (this.#queuedBytes > MAX_QUEUED_BYTES) {
      this.#held = true;
      this.#call?.hold();
    } else this.#armTimer();
    this.#notify();
  }

  /** While the server is held it cannot send, so the timeout is suspended. */
  #armTimer(): void {
    if (this.#over) return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#clock.schedule(this.#timeoutMs, () => this.finish(false));
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
