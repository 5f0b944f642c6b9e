import type { ApiObject, Clock } from '@orch/machinery';
import { DeadlineExceeded, type ScopedSignal, withDeadline } from '@orch/machinery/concurrency';
import type { ResourceClient, Stored, WatchEvent, WatchOptions } from '../rest/types.ts';
import { GRACE_MS } from './watch-limits.ts';

export interface OpenWatchOptions extends WatchOptions {
  readonly timeoutSeconds: number;
}

/** A watch with bookmarks, until it is disposed: its events can be read in several steps. */
export class OpenWatch<T extends ApiObject> implements Disposable {
  readonly #events: AsyncIterator<WatchEvent<Stored<T>>>;
  readonly #limit: ScopedSignal;
  readonly #clock: Clock;

  constructor(
    client: ResourceClient<T>,
    options: OpenWatchOptions,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ) {
    this.#clock = clock;
    this.#limit = withDeadline(signal, clock, options.timeoutSeconds * 1000 + GRACE_MS);
    const events = client.watch({ ...options, allowBookmarks: true }, this.#limit.signal);
    this.#events = events[Symbol.asyncIterator]();
  }

  /** The events after those that were read; a loop that is left does not end the watch. */
  events(): AsyncIterable<WatchEvent<Stored<T>>> {
    const next = () => this.#events.next();
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** Aborts when the watch must be over. */
  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** Ends the watch with `DeadlineExceeded` once no event has arrived for a time, or it has lasted for another one. */
  limitInitialEvents(limits: InitialEventsLimits): InitialEventsLimit {
    return new InitialEventsLimit(this.#clock, limits, (error) => this.#limit.abort(error));
  }

  [Symbol.dispose](): void {
    this.#limit.abort(new Error('the watch is not read any longer'));
    // Its failure by the signal is expected.
    this.#events.return?.().catch(() => undefined);
    this.#limit[Symbol.dispose]();
  }
}

export interface InitialEventsLimits {
  readonly silentMs: number;
  readonly totalMs: number;
}

/** One timer for all events: a timer for each of thousands would cost more than the event. */
class InitialEventsLimit implements Disposable {
  readonly #clock: Clock;
  readonly #limits: InitialEventsLimits;
  readonly #end: (error: DeadlineExceeded) => void;
  readonly #startedAt: number;
  #heardAt: number;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, limits: InitialEventsLimits, end: (error: DeadlineExceeded) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#end = end;
    this.#startedAt = clock.monotonic();
    this.#heardAt = this.#startedAt;
    this.#schedule();
  }

  /** An event has arrived. */
  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }

  #schedule(): void {
    const { silentMs, totalMs } = this.#limits;
    const now = this.#clock.monotonic();
    const left = Math.min(this.#heardAt + silentMs, this.#startedAt + totalMs) - now;
    if (left <= 0) this.#end(new DeadlineExceeded(Math.round(now - this.#startedAt)));
    else this.#cancel = this.#clock.scheduleAwaited(left, () => this.#schedule());
  }
}
