import type { CertificateWithKey } from '../files/pem.ts';

/** The identity of one request. */
export interface Identity {
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls?: CertificateWithKey;
}

/** A source of identities. Safe for concurrent use: concurrent callers share one search. */
export interface Credentials {
  /** The identity of the next request; cached, and refreshed before it expires. Rejects with CredentialError. */
  current(signal: AbortSignal): Promise<Identity>;
  /**
   * The server responded 401 to a request with this identity: discards it if it is the current one. Returns whether a retry
   * makes sense.
   */
  rejected(identity: Identity): boolean;
  /** Called when the TLS certificate has changed: connections must be opened again. Returns the function that removes it. */
  onTlsChange(listener: () => void): () => void;
}
