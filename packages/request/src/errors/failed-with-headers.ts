import type { HeaderList } from '../message/types.ts';

/** An error whose reply has additional headers. */
export class FailedWithHeaders extends Error {
  override readonly name = 'FailedWithHeaders';
  readonly headers: HeaderList;

  /** `cause` is the actual error. */
  constructor(cause: unknown, headers: HeaderList) {
    super('a failure with headers', { cause });
    this.headers = headers;
  }
}

/** The error itself, without additional headers. */
export const causeOf = (error: unknown): unknown =>
  error instanceof FailedWithHeaders ? causeOf(error.cause) : error;
