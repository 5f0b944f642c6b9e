import { TransportError } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { linesOf } from './lines.ts';
import { failureStatus } from './status.ts';

/** A request of the API. `target` is its path and query, percent-encoded. */
export interface ServerRequest {
  readonly method?: string;
  readonly target: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Maximum size of an event of a watch: several times the maximum size of a stored object. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/**
 * The requests of the page to the API server, through the program that serves the page. Rejects with `ApiError` for failures that a
 * server reports, with `TransportError` without an answer, and with the reason of the signal.
 */
export class Connection {
  readonly #base: string;
  readonly #fetch: typeof fetch;

  /** `base` is the address of the API, without a slash at the end. */
  constructor(base: string, send: typeof fetch) {
    this.#base = base;
    this.#fetch = send;
  }

  async json(request: ServerRequest, signal: AbortSignal): Promise<unknown> {
    const text = await this.text(request, signal);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new TransportError('noEffect', 'the answer is not JSON', { cause });
    }
  }

  async text(request: ServerRequest, signal: AbortSignal): Promise<string> {
    const response = await this.#open(request, signal);
    return withoutFetchErrors(() => response.text(), signal);
  }

  /** The parts of a text, as they arrive. `onOpen` is called when the server has accepted the request. */
  async *parts(
    request: ServerRequest,
    signal: AbortSignal,
    onOpen: () => void,
  ): AsyncGenerator<string, void, undefined> {
    const { body } = await this.#open(request, signal);
    onOpen();
    if (body === null) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await withoutFetchErrors(() => reader.read(), signal);
        if (done) return;
        yield decoder.decode(value, { stream: true });
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** The JSON values of the lines of an answer, as they arrive. `onOpen` is called when the server has accepted the request. */
  async *values(
    request: ServerRequest,
    signal: AbortSignal,
    onOpen: () => void = () => undefined,
  ): AsyncGenerator<unknown, void, undefined> {
    const { body } = await this.#open(request, signal);
    onOpen();
    if (body === null) return;
    const lines = linesOf(body, MAX_EVENT_CHARS);
    try {
      for (;;) {
        const { done, value } = await withoutFetchErrors(() => lines.next(), signal);
        if (done === true) return;
        if (value !== '') yield JSON.parse(value);
      }
    } finally {
      await lines.return();
    }
  }

  async #open(request: ServerRequest, signal: AbortSignal): Promise<Response> {
    const { method = 'GET', target, accept = 'application/json', contentType, body } = request;
    const response = await withoutFetchErrors(
      () =>
        this.#fetch(this.#base + target, {
          method,
          headers: { accept, ...(contentType !== undefined && { 'content-type': contentType }) },
          cache: 'no-store',
          credentials: 'same-origin',
          redirect: 'error',
          signal,
          ...(body !== undefined && { body }),
        }),
      signal,
    );
    if (response.ok) return response;
    const text = await withoutFetchErrors(() => response.text(), signal);
    throw new ApiError(failureStatus(response.status, text));
  }
}

/** Browsers report a lost connection as a TypeError with a text of their own. */
async function withoutFetchErrors<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof TransportError) throw cause;
    throw new TransportError('unknown', 'there is no connection to the server', { cause });
  }
}
