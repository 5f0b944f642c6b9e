import type { ApiError } from '@orch/machinery';

/** A request that was not sent, or that the server refused before it was processed: it may be sent to another endpoint. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** For the client. */
  readonly failure: ApiError;

  constructor(failure: ApiError) {
    super(failure.message, { cause: failure });
    this.failure = failure;
  }
}

/** A protocol error of the server, or no answer in time. The server may have carried out the request. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';
}

export const brokenAnswer = (cause?: Error): OutboundFailure =>
  new OutboundFailure('the connection was closed before the end of its answer', { cause });

export const noAnswer = (cause?: Error): OutboundFailure =>
  new OutboundFailure(cause?.message ?? 'the connection was closed before an answer', { cause });
