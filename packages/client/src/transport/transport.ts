/** A request. Header names are in lower case. The transport adds the identity. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, percent-encoded: `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | undefined;
  /**
   * Called right before each time that the request is written to a connection, because connecting may take long. If it
   * throws, `send` rejects with that error, and nothing is written.
   */
  readonly beforeWriting?: (() => void) | undefined;
}

/** The head of a response, and its body as it arrives. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; repeated fields are joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * The chunks of the body. The server sends no faster than they are read; leaving the loop early ends the request. Throws
   * `TransportError` for an incomplete body.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The transport to a server: a network connection, or the handler of a server in the same process. Safe for concurrent
 * use. `send` rejects with `TransportError` without a response, and with the reason of the signal, which also ends the
 * body.
 */
export interface Transport {
  send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse>;
  /** Closes all connections; current requests fail. A later `send` connects again. */
  reset(reason: string): void;
  /** Closes all connections permanently. */
  close(): Promise<void>;
}

/**
 * The outcome of a request without a response: certainly `notSent`; `unknown`, because it may have been processed; or
 * `noEffect` for a read, which changes nothing.
 */
export type Outcome = 'notSent' | 'unknown' | 'noEffect';

/** There was no response, or it was incomplete. A request with any outcome but `unknown` can be sent again. */
export class TransportError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TransportError';
    this.outcome = outcome;
  }
}

/**
 * Reports whether a request has no response, or an incomplete one. By the name of the error, not only by its class: a process may
 * have the library twice, as modules and as CommonJS, or within another package.
 */
export const isTransportError = (error: unknown): error is TransportError =>
  error instanceof TransportError ||
  (error instanceof Error && error.name === 'TransportError' && 'outcome' in error);
