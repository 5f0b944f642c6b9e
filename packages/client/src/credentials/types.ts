/** What one request says of who sends it. */
export interface Identity {
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** PEM: the certificate with its intermediates, and its key. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Where identities come from. Safe for concurrent use: requests that wait for the same identity share one search. */
export interface Credentials {
  /** What identifies the next request; cached, refreshed before expiry. Rejects with CredentialError. */
  current(signal: AbortSignal): Promise<Identity>;
  /**
   * The server answered 401 to a request made with this identity: forget it when it is still the current one. Answers
   * whether another try makes sense.
   */
  rejected(identity: Identity): boolean;
  /** Called when the TLS certificate has changed: connections must be made anew. Answers the function that ends it. */
  onTlsChange(listener: () => void): () => void;
}
