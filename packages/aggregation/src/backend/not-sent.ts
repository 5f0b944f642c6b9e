import type { ApiError } from '@orch/machinery';

/** A request of which nothing was sent: it may be sent to another endpoint. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** For the client. */
  readonly failure: ApiError;

  constructor(failure: ApiError) {
    super(failure.message, { cause: failure });
    this.failure = failure;
  }
}
