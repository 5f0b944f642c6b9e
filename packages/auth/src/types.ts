import type { IncomingHttpHeaders } from 'node:http';

/** Who is asking (access-control document, section 2). */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What an authenticator looks at. The server's request has this shape. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** DER of the client certificate that TLS verified against the client CA; undefined without one. */
  readonly clientCertificate: Buffer | undefined;
  /** The connection: a key for what is worth remembering as long as it lasts. */
  readonly connection: object;
  /** Aborts when the request is over. */
  readonly signal: AbortSignal;
}

/**
 * - `user`: the credentials are good.
 * - `none`: there are no credentials that this authenticator understands; the next one may try.
 * - `rejected`: credentials of this authenticator's kind are wrong. `reason` is for the log, never for the client.
 */
export type Authentication =
  | { readonly kind: 'user'; readonly user: UserInfo }
  | { readonly kind: 'none' }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Turns credentials into a user. Synchronous when it needs to ask nobody. */
export interface Authenticator {
  authenticate(credentials: Credentials): Authentication | Promise<Authentication>;
}

/** What somebody wants to do: the input of authorization. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: UserInfo;
  readonly isResource: true;
  /** `apply` is authorized as `patch`. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface PathAttributes {
  readonly user: UserInfo;
  readonly isResource: false;
  /** Lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
}

/** Decides whether a user may do something. Synchronous when it needs to ask nobody. */
export interface Authorizer {
  authorize(attributes: Attributes, request: { readonly signal: AbortSignal }): Decision | Promise<Decision>;
}
