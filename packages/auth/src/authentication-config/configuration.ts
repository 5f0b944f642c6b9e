import type { Program } from '@orch/cel';

/** The authentication configuration of a file. */
export interface AuthenticationConfiguration {
  readonly issuers: readonly IssuerConfiguration[];
  /** Undefined when the file does not contain it. */
  readonly anonymous: AnonymousConfiguration | undefined;
}

export interface AnonymousConfiguration {
  readonly isEnabled: boolean;
  /** The only paths of anonymous requests; all when it is empty. */
  readonly paths: readonly string[];
}

/** An issuer of tokens, and how the claims of its tokens become a user. */
export interface IssuerConfiguration {
  readonly url: string;
  /** URL of the issuer's metadata; below `url` when it is undefined. */
  readonly discoveryUrl: string | undefined;
  /** PEM; the authorities of the machine when it is undefined. */
  readonly certificateAuthority: string | undefined;
  /** Tokens must be for one of them. */
  readonly audiences: readonly string[];
  readonly rules: ClaimRules;
}

/** From the claims of a verified token to a user. */
export interface ClaimRules {
  readonly required: readonly (RequiredClaim | Expression)[];
  readonly username: MappedClaim | Expression;
  readonly groups: MappedGroups | Expression | undefined;
  readonly uid: { readonly claim: string } | Expression | undefined;
  readonly extra: readonly { readonly key: string; readonly value: Expression }[];
  /** The conditions on the user. */
  readonly user: readonly Expression[];
}

export interface RequiredClaim {
  readonly claim: string;
  readonly value: string;
}

export interface MappedClaim {
  readonly claim: string;
  readonly prefix: string;
}

export interface MappedGroups extends MappedClaim {
  /** A single text is refused. */
  readonly isListOnly: boolean;
}

export interface Expression {
  readonly program: Program;
  readonly source: string;
  /** The reason of a rejection when a condition is false; empty for a general one. */
  readonly message: string;
}
