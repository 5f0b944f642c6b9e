import { abortable, type Deferred, deferred } from '@orch/machinery/concurrency';

/** The reason why writes wait. */
type Holder = 'migration' | 'record';

/** Makes writes wait while a store is moved. */
export class WriteGate {
  readonly #holders = new Set<Holder>();
  #opened: Deferred<void> | undefined;
  readonly #failed = new AbortController();

  /** Aborts, with the error, when the store can no longer be used. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  get isOpen(): boolean {
    return this.#opened === undefined;
  }

  hold(holder: Holder): void {
    if (this.failed.aborted) return;
    this.#holders.add(holder);
    this.#opened ??= deferred();
    // Rejected when no write may wait.
    this.#opened.promise.catch(() => undefined);
  }

  release(holder: Holder): void {
    this.#holders.delete(holder);
    if (this.#holders.size > 0 || this.failed.aborted) return;
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /** Rejects with the failure of the move, and with the signal's reason. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#opened === undefined ? Promise.resolve() : abortable(this.#opened.promise, signal);
  }

  /** Writes that wait, and all later ones, fail. */
  fail(error: unknown): void {
    if (this.failed.aborted) return;
    this.#opened ??= deferred();
    this.#opened.promise.catch(() => undefined);
    this.#opened.reject(error);
    this.#failed.abort(error);
  }
}

/** Counts work in progress. */
export class InFlight {
  #count = 0;
  #ended: Deferred<void> | undefined;

  begin(): void {
    this.#count++;
  }

  end(): void {
    if (--this.#count > 0) return;
    this.#ended?.resolve();
    this.#ended = undefined;
  }

  /** Resolves when no work is in progress. */
  async none(signal: AbortSignal): Promise<void> {
    if (this.#count === 0) return;
    this.#ended ??= deferred();
    await abortable(this.#ended.promise, signal);
  }
}
