/** The parts of the identity provider that tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Configuration {
    readonly jwks: { readonly keys: readonly object[] };
    readonly clients: readonly object[];
  }

  class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  }

  export default Provider;
}
