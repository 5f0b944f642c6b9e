import { type ApiError, errors } from '@orch/machinery';

/** Code of a request whose client left before its answer. Metrics and logs show it; no client ever sees it. */
export const clientGoneCode = 499;

/** The reason with which the signal of such a request aborts. */
export const clientGone = (): ApiError => errors.plain(clientGoneCode, 'the client closed the connection');

/**
 * An `AbortSignal` that is made only when somebody asks for it: most requests are answered from memory and never do.
 */
export class LazySignal {
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The reason it was aborted with; undefined as long as it was not. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
