// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';

/** The object whose deletion invalidates a token. */
export interface BoundObjectReference {
  /** Pod or Secret. */
  kind?: string;
  /** Version of the object. */
  apiVersion?: string;
  /** Name of the object. */
  name?: string;
  /** Identity of the object. */
  uid?: string;
}

/** Returns the attributes of the requesting user, as authenticated by the server. Never stored. */
export type SelfSubjectReview = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Result of the review. */
  status?: SelfSubjectReviewStatus;
};

/** The requesting user. */
export interface SelfSubjectReviewStatus {
  /** Attributes of the requesting user, after impersonation. */
  userInfo?: UserInfo;
}

/** Requests a token of a service account. */
export type TokenRequest = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: TokenRequestSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: TokenRequestStatus;
};

/** Attributes of the requested token. */
export interface TokenRequestSpec {
  /** Intended audiences of the token; a recipient must be one of them. */
  audiences: string[] | null;
  /** Requested validity of the token; the server may shorten it. */
  expirationSeconds?: Int64 | null;
  /** Object whose deletion invalidates the token. */
  boundObjectRef?: BoundObjectReference | null;
  /** Claims that the token confirms, by their well-known key. Only for tokens that are bound to a webhook configuration. */
  attestations?: Record<string, string[]>;
}

/** The token. */
export interface TokenRequestStatus {
  /** The token, for an Authorization header. */
  token: string;
  /** When it expires. */
  expirationTimestamp: string | null;
}

/** Authenticates a token. Never stored. */
export type TokenReview = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: TokenReviewSpec;
  /** Result of the review. */
  status?: TokenReviewStatus;
};

/** The token to authenticate. */
export interface TokenReviewSpec {
  /** The token, as in the Authorization header. */
  token?: string;
  /** Audiences of the requester: the token must be intended for one of them. This server when empty. */
  audiences?: string[];
}

/** Result of the authentication of a token. */
export interface TokenReviewStatus {
  /** Whether the token is valid. */
  authenticated?: boolean;
  /** User of the token. */
  user?: UserInfo;
  /** The requested audiences that the token is intended for. */
  audiences?: string[];
  /** Why the token could not be checked. */
  error?: string;
}

/** Attributes of a user. */
export interface UserInfo {
  /** Name of the user. */
  username?: string;
  /** Unique identifier of the user, which differs for another user of the same name. */
  uid?: string;
  /** Groups that the user belongs to. */
  groups?: string[];
  /** Additional attributes of the user. */
  extra?: Record<string, string[]>;
}
