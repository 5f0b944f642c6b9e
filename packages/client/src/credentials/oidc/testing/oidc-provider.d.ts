// The part of the package that tests use; it has no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Client {
    readonly clientId: string;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface RefreshToken {
    /** Resolves with the token. */
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
    readonly Client: { find(id: string): Promise<Client | undefined> };
    readonly Grant: new (properties: {
      accountId: string;
      clientId: string;
    }) => Grant;
    readonly RefreshToken: new (properties: {
      accountId: string;
      client: Client;
      grantId: string;
      scope: string;
      gty: string;
    }) => RefreshToken;
  }
}
