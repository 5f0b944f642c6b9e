// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** The object whose life bounds that of a token. */
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

/** Who the user is. */
export interface SelfSubjectReviewStatusV1beta1 {
  /** What the server knows of the user who asked, after impersonation. */
  userInfo?: UserInfo;
}

/** Asks the server who it takes the user for. Answered at once, and never stored. */
export type SelfSubjectReviewV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The answer. */
  status?: SelfSubjectReviewStatusV1beta1;
};

/** Asks for a token of a service account. */
export type TokenRequest = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: TokenRequestSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: TokenRequestStatus;
};

/** What kind of token is wanted. */
export interface TokenRequestSpec {
  /** Who the token is for; those that check it must find themselves among them. */
  audiences: string[] | null;
  /** How long the token should live; the server may shorten it. */
  expirationSeconds?: number | null;
  /** The token is void once this object is gone. */
  boundObjectRef?: BoundObjectReference | null;
}

/** The token. */
export interface TokenRequestStatus {
  /** The token, as it goes into an Authorization header. */
  token: string;
  /** When it expires. */
  expirationTimestamp: string | null;
}

/** Asks whose token something is. Answered at once, and never stored. */
export type TokenReview = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: TokenReviewSpec;
  /** The answer. */
  status?: TokenReviewStatus;
};

/** The token in question. */
export interface TokenReviewSpec {
  /** The token, as it stood in the Authorization header. */
  token?: string;
  /** Who the one that asks is: a token must be meant for one of these. This server itself when empty. */
  audiences?: string[];
}

/** Whose token it is, if anybody’s. */
export interface TokenReviewStatus {
  /** Whether the token is good. */
  authenticated?: boolean;
  /** Whose token it is. */
  user?: UserInfo;
  /** Those of the audiences asked about that the token is meant for. */
  audiences?: string[];
  /** Why the token could not be checked. */
  error?: string;
}

/** What is known of a user. */
export interface UserInfo {
  /** Name of the user. */
  username?: string;
  /** Identity of the user: another one of the same name has another. */
  uid?: string;
  /** Groups that the user belongs to. */
  groups?: string[];
  /** What else is known of the user. */
  extra?: Record<string, string[]>;
}
