/** Types of the parts of an identity provider that the tests use; the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Configuration {
    readonly jwks: { readonly keys: readonly object[] };
    readonly clients: readonly object[];
    readonly features?: object;
    readonly findAccount?: (context: unknown, accountId: string) => object;
    readonly rotateRefreshToken?: boolean;
    /** Lifetimes in seconds. */
    readonly ttl?: Readonly<Record<string, number>>;
  }

  class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
    on(
      event: 'grant.success',
      listener: (context: { readonly oidc: { readonly params: { readonly grant_type: string } } }) => void,
    ): unknown;
  }

  export default Provider;
}
