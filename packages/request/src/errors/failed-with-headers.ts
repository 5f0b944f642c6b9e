import type { HeaderList } from '../message/types.ts';

/** A failure whose answer carries headers beside those that every such answer has. */
export class FailedWithHeaders extends Error {
  override readonly name = 'FailedWithHeaders';
  readonly headers: HeaderList;

  /** `cause` is the failure itself. */
  constructor(cause: unknown, headers: HeaderList) {
    super('a failure with headers', { cause });
    this.headers = headers;
  }
}
