/** The client certificate with which this server proves to extension API servers that it is their proxy. */
export interface ProxyIdentity {
  /** PEM, with its chain. */
  readonly cert: string;
  readonly key: string;
}

/** The current certificate: another object after it was renewed; undefined without one. */
export type CurrentProxyIdentity = () => ProxyIdentity | undefined;
