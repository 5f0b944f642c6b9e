/** The reason why a service did not respond. `isPassing`: a retry may succeed. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly isPassing: boolean;
  /** HTTP status of an answer that is not 2xx. */
  readonly status: number | undefined;

  constructor(message: string, isPassing: boolean, status?: number) {
    super(message);
    this.isPassing = isPassing;
    this.status = status;
  }
}
