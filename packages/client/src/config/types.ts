import type { Credentials } from '../credentials/types.ts';

/** Everything that a connection to one server needs. */
export interface ConnectionSettings {
  /** Absolute URL, `https://host:6443`, perhaps with a path that every request path is put behind. */
  readonly server: string;
  /** PEM. The authorities of the system when absent. */
  readonly ca?: string;
  /** The name that the server's certificate must have, and that is asked for (SNI); the server's host when absent. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify: boolean;
  /** `http`, `https` or `socks5` URL. */
  readonly proxyUrl?: string;
  readonly disableCompression: boolean;
  readonly credentials: Credentials;
  /** The namespace for requests that name none. */
  readonly namespace?: string;
}
