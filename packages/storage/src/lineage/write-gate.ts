import { abortable, type Deferred, deferred } from '@orch/machinery';

/** Who keeps writes waiting. */
type Holder = 'migration' | 'record';

/** Lets writes wait while a store is moved. */
export class WriteGate {
  readonly #holders = new Set<Holder>();
  #opened: Deferred<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  get isOpen(): boolean {
    return this.#opened === undefined;
  }

  hold(holder: Holder): void {
    if (this.#failure !== undefined) return;
    this.#holders.add(holder);
    this.#opened ??= deferred();
    // Rejected when there may be no write that waits.
    this.#opened.promise.catch(() => undefined);
  }

  release(holder: Holder): void {
    this.#holders.delete(holder);
    if (this.#holders.size > 0 || this.#failure !== undefined) return;
    this.#opened?.resolve();
    this.#opened = undefined;
  }

  /** Rejects with the failure of the move, and with the signal's reason. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#opened === undefined ? Promise.resolve() : abortable(this.#opened.promise, signal);
  }

  /** Writes that wait, and all later ones, fail. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#opened ??= deferred();
    this.#opened.promise.catch(() => undefined);
    this.#opened.reject(error);
  }
}
