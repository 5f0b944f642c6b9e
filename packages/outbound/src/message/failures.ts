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
  override readonly name: string = 'OutboundFailure';
}

/** The connection ended before the head of an answer. */
export class NoAnswer extends OutboundFailure {
  override readonly name = 'NoAnswer';
  /** A kept connection ended without a byte: the server may have closed it before the request arrived. */
  readonly wasKept: boolean;
  /** The server closed the connection; otherwise it failed. */
  readonly isClosed: boolean;

  constructor(wasKept: boolean, cause?: Error) {
    const isClosed = cause === undefined || (cause as NodeJS.ErrnoException).code === 'ECONNRESET';
    super(isClosed ? 'the connection was closed before an answer' : cause.message, { cause });
    this.wasKept = wasKept;
    this.isClosed = isClosed;
  }
}

/** The answer has more bytes than its request allows. */
export class AnswerTooLarge extends OutboundFailure {
  override readonly name = 'AnswerTooLarge';

  constructor() {
    super('its answer is too large');
  }
}

export const brokenAnswer = (cause?: Error): OutboundFailure =>
  new OutboundFailure('the connection was closed before the end of its answer', { cause });
