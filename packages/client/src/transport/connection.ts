import { TransportError, type TransportResponse } from './transport.ts';

/** A request as it goes out: identity, authority and length are in the headers, the base path is before the path. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | undefined;
}

/** One way to the server that many requests take: an HTTP/2 connection, or a set of HTTP/1.1 connections. */
export interface Connection {
  /** A request may start here without waiting for others. */
  readonly isUsable: boolean;
  /** It will never carry another request. */
  readonly isOver: boolean;
  /** Nothing is under way. */
  readonly isIdle: boolean;
  /** Rejects with `TransportError`, or `LostBeforeAnswer`, or the signal's reason. */
  send(request: WireRequest, signal: AbortSignal): Promise<TransportResponse>;
  /** No more requests; those under way have `graceMs` to end, then they fail. */
  retire(graceMs: number, reason: string): void;
  /** Ends it now; requests under way fail with a plain `TransportError`: that was wanted, so nobody sends them again. */
  destroy(reason: string): void;
}

/**
 * A connection ended before the answer began, and not by what this request did. Requests that change nothing can be sent
 * once more over another.
 */
export class LostBeforeAnswer extends TransportError {}
