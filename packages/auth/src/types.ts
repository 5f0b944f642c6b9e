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
  /** The values of fields that stand more than once, in their order: `headers` joins them. Names are in lower case. */
  readonly repeated?: ReadonlyMap<string, readonly string[]> | undefined;
  /** DER of the client certificate that TLS verified against the authorities it knows; undefined without one. */
  readonly clientCertificate: Buffer | undefined;
  /** Why TLS did not verify the certificate that the client presented; undefined when it did, or there is none. */
  readonly certificateProblem?: string | undefined;
  /** The connection: a key for what is worth remembering as long as it lasts. */
  readonly connection: object;
  /** Aborts when the request is over. */
  readonly signal: AbortSignal;
  /**
   * Set when somebody asks about the credentials of others: the answer then says `audiences`, those of these that the
   * credentials are meant for, and none of these is no user. Empty stands for this server. Absent, this server is meant,
   * and nothing is said of it.
   */
  readonly audiences?: readonly string[];
}

/**
 * - `user`: the credentials are good.
 * - `none`: there are no credentials that this authenticator understands; the next one may try.
 * - `rejected`: credentials of this authenticator's kind are wrong. `reason` is for the log, never for the client; `told`
 *   is what a service says of the credentials to those who ask about them in a review.
 */
export type Authentication =
  | {
      readonly kind: 'user';
      readonly user: UserInfo;
      /** For whom the credentials are meant, of those asked about. */
      readonly audiences?: readonly string[];
      /** Audit annotations about the credentials, by their keys. */
      readonly annotations?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'rejected'; readonly reason: string; readonly clientMessage?: string };

/** Turns credentials into a user. Synchronous when it needs no request to another service. */
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

/** Decides whether a user may do something. Synchronous when it needs no request to another service. */
export interface Authorizer {
  authorize(attributes: Attributes, request: { readonly signal: AbortSignal }): Decision | Promise<Decision>;
  /** What the user may do in a namespace; absent where decisions follow from no rules that could be listed. */
  rules?(user: UserInfo, namespace: string): RuleListing;
}

/** What somebody may do, as far as it can be listed: for people and for clients that show it. */
export interface RuleListing {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    /** Empty for all. */
    readonly resourceNames: readonly string[];
  }[];
  readonly pathRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
  /** Why there may be more than is listed; empty when there is not. */
  readonly incomplete: readonly string[];
}
