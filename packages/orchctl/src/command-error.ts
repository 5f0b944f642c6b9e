/**
 * A failure of a command that the user can act on. The message completes `error: …` and tells what to do next. Exit
 * status 1, unless another one is given.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitStatus: number;

  constructor(message: string, options: { readonly exitStatus?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitStatus = options.exitStatus ?? 1;
  }
}
