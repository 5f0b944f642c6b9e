/** A copy that cannot be made: of a local file, an archive that was not requested, or a program `tar` that failed. */
export class CopyError extends Error {
  /** The exit code of the program in the container. */
  readonly exitCode: number | undefined;

  constructor(message: string, options: { readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CopyError';
    this.exitCode = options.exitCode;
  }
}
