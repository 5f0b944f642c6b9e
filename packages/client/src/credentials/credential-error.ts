/** The remedy for the user: log in again, because tokens are missing, expired or refused. */
export type CredentialProblem = 'loginNeeded';

/** Missing credentials for a request. The message has the reason and never contains a secret. */
export class CredentialError extends Error {
  readonly kind: CredentialProblem | undefined;

  constructor(message: string, options: { cause?: unknown; kind?: CredentialProblem } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'CredentialError';
    this.kind = options.kind;
  }
}
