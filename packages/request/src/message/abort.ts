import { type ApiError, errors } from '@orch/machinery';

/** Status code of a request whose client disconnected before the reply, in metrics and logs only. */
export const CLIENT_GONE_CODE = 499;

/** The abort reason of such a request. */
export const clientGone = (): ApiError => errors.plain(CLIENT_GONE_CODE, 'the client closed the connection');

/**
 * An `AbortSignal` that is created on first use: most requests are answered from memory and never use it.
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

  /** The abort reason; undefined until it is aborted. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Only the first reason is kept. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
