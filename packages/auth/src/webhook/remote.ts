import { type Clock, messageOf, type Random } from '@orch/machinery';
import { abortable, Semaphore, sleep, withDeadline } from '@orch/machinery/concurrency';
import { RemoteError } from './remote-error.ts';

/** Connection, retries and limits of a webhook. */
export interface RemoteOptions {
  readonly post: (body: object, signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  /** Pause before the first retry; later ones grow. */
  readonly firstPauseMs?: number;
  /** For one question with all its attempts. */
  readonly timeoutMs?: number;
}

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_GROWTH = 1.5;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Questions at one time; further ones wait. */
const MAX_AT_ONCE = 64;
/** Limit of waiting requests; further ones are refused. */
const MAX_WAITING = 1_000;
/** Number of consecutive failures after which no requests are sent for `OPEN_MS`. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 5_000;

/**
 * Client of a webhook. Equal concurrent questions share one request. Temporary failures are retried with backoff. A
 * service that fails repeatedly receives no requests for a while (circuit breaker): calls fail immediately instead of
 * waiting for it, until it responds to one trial request. An unusable response is no such failure: the service works, and one
 * question that it refuses must not prevent others.
 */
export class Remote {
  readonly #options: RemoteOptions;
  readonly #atOnce = new Semaphore(MAX_AT_ONCE);
  readonly #pending = new Map<string, Promise<unknown>>();
  #failures = 0;
  #closedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /**
   * The response to the request of a key; concurrent calls with one key share a request. The signal ends the wait of
   * this call only.
   */
  query(key: string, body: object, signal: AbortSignal): Promise<unknown> {
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = this.#whole(body).finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return abortable(pending, signal);
  }

  async #whole(body: object): Promise<unknown> {
    const { clock, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    this.#checkOpen();
    if (this.#atOnce.waiting >= MAX_WAITING) throw new RemoteError('too many requests wait for it', true);
    using deadline = withDeadline(new AbortController().signal, clock, timeoutMs);
    try {
      const answer = await this.#atOnce.run(deadline.signal, () => this.#tries(body, deadline.signal));
      this.#failures = 0;
      return answer;
    } catch (error) {
      const reason = error instanceof RemoteError ? error : new RemoteError(messageOf(error), true);
      this.#failures = reason.isPassing ? this.#failures + 1 : 0;
      if (this.#failures >= FAILURES_TO_OPEN) this.#closedUntil = clock.monotonic() + OPEN_MS;
      throw reason;
    }
  }

  /** The first request after the pause is the trial request; all others fail until its outcome is known. */
  #checkOpen(): void {
    if (this.#failures < FAILURES_TO_OPEN) return;
    const now = this.#options.clock.monotonic();
    if (now < this.#closedUntil) throw new RemoteError('it failed repeatedly', true);
    this.#closedUntil = now + (this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  }

  async #tries(body: object, signal: AbortSignal): Promise<unknown> {
    const { post, clock, random, firstPauseMs = FIRST_PAUSE_MS } = this.#options;
    for (let left = MAX_ATTEMPTS - 1, pauseMs = firstPauseMs; ; left--, pauseMs *= PAUSE_GROWTH) {
      try {
        return await post(body, signal);
      } catch (error) {
        if (left === 0 || !(error instanceof RemoteError) || !error.isPassing) throw error;
      }
      await sleep(clock, pauseMs * (0.8 + random.int(401) / 1000), signal);
    }
  }
}
