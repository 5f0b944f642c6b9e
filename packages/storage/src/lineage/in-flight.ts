import { abortable, type Deferred, deferred } from '@orch/machinery/concurrency';

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
