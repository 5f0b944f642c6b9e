import type { Credentials } from '../credentials/types.ts';

/** The settings of a connection to one server. */
export interface ConnectionSettings {
  /** Absolute URL, `https://host:6443`, optionally with a base path. */
  readonly server: string;
  /** PEM. The authorities of the system when absent. */
  readonly ca?: string;
  /** The name for which the certificate of the server must be valid, also for SNI; the host of the server when absent. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify: boolean;
  /** `http`, `https` or `socks5` URL. */
  readonly proxyUrl?: string;
  readonly disableCompression: boolean;
  readonly credentials: Credentials;
  /** The default namespace. */
  readonly namespace?: string;
}
