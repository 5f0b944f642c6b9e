import type { IncomingHttpHeaders } from 'node:http';

/** The user of a request (access-control document, section 2). */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The parts of a request that an authenticator reads. The server's request has this shape. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  /** The values of fields that occur more than once, in order: `headers` joins them. Names are in lower case. */
  readonly repeated?: ReadonlyMap<string, readonly string[]> | undefined;
  /** DER of the client certificate, if TLS verified it against a known authority. */
  readonly clientCertificate: Buffer | undefined;
  /** The reason why TLS did not verify the client certificate; undefined when it did, or there is none. */
  readonly certificateProblem?: string | undefined;
  /** Path of the request as sent, without the query; absent in reviews of the credentials of others. */
  readonly rawPath?: string;
  /** The connection: a key for data that is cached as long as the connection lasts. */
  readonly connection: object;
  /** Aborts when the request is over. */
  readonly signal: AbortSignal;
  /**
   * Set in reviews of the credentials of others. The outcome then has `audiences`: those of these that the credentials
   * are valid for; credentials that are valid for none of them are rejected. Empty means this server. When absent, the
   * credentials must be valid for this server, and the outcome has no audiences.
   */
  readonly audiences?: readonly string[];
}

/**
 * - `user`: the credentials are valid.
 * - `none`: there are no credentials of this method; the next authenticator may try.
 * - `rejected`: there are credentials of this method, and they are invalid. `reason` is for the log, never for the client;
 *   `clientMessage` is the message of a webhook for the client of a token review.
 */
export type Authentication =
  | {
      readonly kind: 'user';
      readonly user: UserInfo;
      /** The requested audiences that the credentials are valid for. */
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

/** The input of authorization: a user and an operation. */
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
  /**
   * Decides again, and reports how, without metrics: for explanations, never on the path of a request. Absent where there is
   * nothing to report besides the decision.
   */
  explain?(
    attributes: Attributes,
    request: { readonly signal: AbortSignal },
  ): Promise<readonly ExplainedDecision[]>;
  /** The permissions of the user in a namespace; absent where decisions follow from no rules that could be listed. */
  rules?(user: UserInfo, namespace: string): RuleListing;
}

/** The decision of one authorizer, and its basis. Authorizers after one with an opinion are not called. */
export interface ExplainedDecision {
  /** Type and name of the authorizer: `RBAC`, `Webhook policy`. */
  readonly authorizer: string;
  readonly decision: Decision;
  /** Grants of the user that an authorizer by rules looked at; empty for others. */
  readonly grants: readonly ExplainedGrant[];
}

/** A role that is granted to the user in the scope of the request, and its relation to the request. */
export interface ExplainedGrant {
  readonly binding: { readonly namespace: string; readonly name: string };
  /** The namespace is empty for a role of the cluster. */
  readonly role: { readonly namespace: string; readonly name: string };
  readonly subject: { readonly kind: 'User' | 'Group'; readonly name: string };
  /**
   * `allows`: a rule allows the request. `close`: a rule is about its resource or path, but not its verb or name.
   * `missing`: the role does not exist. `unrelated`: no rule is about it.
   */
  readonly relation: 'allows' | 'close' | 'missing' | 'unrelated';
  /** The rules that allow it, or are close. */
  readonly rules: readonly PolicyRule[];
}

/** The permissions of a role (access-control document, 2.8): some verbs on some resources, or on some paths. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** `pods`, `pods/log`, `*`, `pods/*`, `*` followed by `/scale`. */
  readonly resources: readonly string[];
  /** Names of the objects that the rule applies to; all when empty. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The permissions of a user, as far as they can be listed; for display. */
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
  /** The reason why the list may be incomplete; empty when it is complete. */
  readonly incomplete: readonly string[];
}
