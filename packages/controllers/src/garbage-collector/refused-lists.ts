import { ApiError } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';

/** Failed lists after which the start no longer waits for a resource. With the delays of informers they take two seconds. */
const REFUSED_LISTS = 4;

/** Codes of a server that may answer the same list soon: it is late, busy or starting, or the history has expired. */
const passing: ReadonlySet<number> = new Set([408, 410, 429, 503, 504]);

/** Counts the lists of one resource that the server refused: another attempt has little chance then. */
export class RefusedLists {
  readonly #refused = deferred();
  #count = 0;

  /** Resolves after `REFUSED_LISTS` refused lists in a row. */
  get enough(): Promise<void> {
    return this.#refused.promise;
  }

  /** Takes the error of a failed list. */
  add(error: unknown): void {
    const isRefused = error instanceof ApiError && !passing.has(error.status.code);
    this.#count = isRefused ? this.#count + 1 : 0;
    if (this.#count >= REFUSED_LISTS) this.#refused.resolve();
  }
}
