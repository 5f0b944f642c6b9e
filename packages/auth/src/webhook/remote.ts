import {
  abortable,
  type Clock,
  messageOf,
  type Random,
  Semaphore,
  sleep,
  withDeadline,
} from '@orch/machinery';
import { RemoteError } from './post-json.ts';

/** How a service is asked. */
export interface RemoteOptions {
  readonly post: (body: object, signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  /** For one question with all its tries. */
  readonly timeoutMs?: number;
}

const tries = 5;
const firstPauseMs = 500;
const pauseGrowth = 1.5;
const defaultTimeoutMs = 30_000;
/** Questions at one time; further ones wait. */
const maxAtOnce = 64;
/** Questions that may wait; further ones are not asked. */
const maxWaiting = 1_000;
/** Failures one after the other after which nobody is asked for a while. */
const failuresToOpen = 5;
const openMs = 5_000;

/**
 * Asks a service questions. The same question is asked once at a time, whoever wants to know it. Failures that may pass
 * are tried again, with pauses. A service that fails again and again is left alone for a while, so that requests are
 * told so at once instead of waiting for it; then one question tries it out.
 */
export class Remote {
  readonly #options: RemoteOptions;
  readonly #atOnce = new Semaphore(maxAtOnce);
  readonly #asked = new Map<string, Promise<unknown>>();
  #failures = 0;
  #closedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** The answer to the question of a key. Waiting ends with the signal; the question goes on for others. */
  ask(key: string, body: object, signal: AbortSignal): Promise<unknown> {
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = this.#whole(body).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return abortable(asked, signal);
  }

  async #whole(body: object): Promise<unknown> {
    const { clock, timeoutMs = defaultTimeoutMs } = this.#options;
    this.#checkOpen();
    if (this.#atOnce.waiting >= maxWaiting) throw new RemoteError('too many questions wait for it', true);
    using deadline = withDeadline(new AbortController().signal, clock, timeoutMs);
    try {
      const answer = await this.#atOnce.run(deadline.signal, () => this.#tries(body, deadline.signal));
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (++this.#failures >= failuresToOpen) this.#closedUntil = clock.monotonic() + openMs;
      throw error instanceof RemoteError ? error : new RemoteError(messageOf(error), true);
    }
  }

  /** Whoever comes first after the pause tries the service out; until that is known, nobody else is let through. */
  #checkOpen(): void {
    if (this.#failures < failuresToOpen) return;
    const now = this.#options.clock.monotonic();
    if (now < this.#closedUntil) throw new RemoteError('it failed again and again', true);
    this.#closedUntil = now + (this.#options.timeoutMs ?? defaultTimeoutMs);
  }

  async #tries(body: object, signal: AbortSignal): Promise<unknown> {
    const { post, clock, random } = this.#options;
    for (let left = tries - 1, pauseMs = firstPauseMs; ; left--, pauseMs *= pauseGrowth) {
      try {
        return await post(body, signal);
      } catch (error) {
        if (left === 0 || !(error instanceof RemoteError) || !error.isPassing) throw error;
      }
      await sleep(clock, pauseMs * (0.8 + random.int(401) / 1000), signal);
    }
  }
}
