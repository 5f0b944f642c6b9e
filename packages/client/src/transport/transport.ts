/** One request of the client. Header names are in lower case. Who sends it is the transport's to say. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, percent-encoded: `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | undefined;
  /**
   * Called right before the request is written to a connection, each time that happens: connecting may take long. What
   * it throws is what `send` rejects with, and nothing is written.
   */
  readonly beforeWriting?: (() => void) | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; fields that stand more than once are joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * The body piece by piece. Nothing more is asked of the server than is taken; leaving the loop early ends the
   * request. Throws `TransportError` when the body ends before its end.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The way to a server: a network connection, or the handler of a server in the same process. Safe for concurrent use.
 * `send` rejects with `TransportError` when there was no answer, and with the signal's reason when that aborts, which
 * also ends a body that is being read.
 */
export interface Transport {
  send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse>;
  /** Ends every connection; requests under way fail. A later `send` connects anew. */
  reset(reason: string): void;
  /** Ends every connection for good. */
  close(): Promise<void>;
}

/** What became of a request without an answer: certainly `notSent`, or `unknown`: it may have been carried out. */
export type Outcome = 'notSent' | 'unknown';

/** There was no answer, or it was cut short. A request whose outcome is `notSent` can be sent again. */
export class TransportError extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'TransportError';
    this.outcome = outcome;
  }
}
