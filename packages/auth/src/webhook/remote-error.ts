/** Why a service did not answer. `isPassing`: asking again may help. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly isPassing: boolean;
  /** Of an answer without 2xx. */
  readonly status: number | undefined;

  constructor(message: string, isPassing: boolean, status?: number) {
    super(message);
    this.isPassing = isPassing;
    this.status = status;
  }
}
