import { ApiError, errors, type Logger, messageOf } from '@orch/machinery';

/** An error about a stored object that cannot be decrypted or decoded. */
export class UnreadableObjectError extends ApiError {
  constructor(message: string, cause: unknown) {
    super(errors.internal(cause, message).status, { cause });
  }
}

/**
 * Does work for one object. An object that cannot be read is logged and stays as it is, since it may be readable again or by
 * another server; other work goes on.
 */
export async function unlessUnreadable(log: Logger, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    log.error('an object of the server cannot be read, and stays as it is', { error: messageOf(error) });
  }
}
