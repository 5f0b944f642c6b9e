import { TransportError, type TransportResponse } from './transport.ts';

/** A request to be sent: headers include identity, authority and length, and the path includes the base path. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | undefined;
}

/** A connection for many requests: an HTTP/2 connection, or a set of HTTP/1.1 connections. */
export interface Connection {
  /** Whether a request can start without waiting for others. */
  readonly isUsable: boolean;
  /** Whether it accepts no further requests. */
  readonly isOver: boolean;
  /** Whether it has no requests in progress. */
  readonly isIdle: boolean;
  /** Rejects with `TransportError`, or `LostBeforeAnswer`, or the signal's reason. */
  send(request: WireRequest, signal: AbortSignal): Promise<TransportResponse>;
  /** Accepts no further requests; current ones fail after `graceMs`. */
  retire(graceMs: number, reason: string): void;
  /** Closes it; current requests fail with a plain `TransportError`, which is not retried because the end is intended. */
  destroy(reason: string): void;
}

/**
 * A connection ended before a response, and not because of this request. Requests without effects can be sent again over
 * another one.
 */
export class LostBeforeAnswer extends TransportError {}
