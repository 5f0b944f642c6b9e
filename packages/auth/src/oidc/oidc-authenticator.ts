import type { ClaimRules } from '../authentication-config/configuration.ts';
import type { Authenticator } from '../types.ts';
import type { Provider } from './provider.ts';
import { type TokenIssuersOptions, tokenIssuersAuthenticator } from './token-issuers.ts';

/** The mapping of claims to a user, from flags (access-control document, 5.6). */
export interface ClaimOptions {
  readonly issuer: string;
  readonly usernameClaim: string;
  /** Empty for the default, `-` for none. */
  readonly usernamePrefix: string;
  /** Empty for no groups. */
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: readonly (readonly [name: string, value: string])[];
}

/** Options of `oidcAuthenticator`. */
export interface OidcOptions extends ClaimOptions, Omit<TokenIssuersOptions, 'issuers'> {
  readonly provider: Provider;
  readonly clientId: string;
  readonly algorithms: readonly string[];
}

/** Accepts ID tokens of one identity provider, whose settings are flags. */
export function oidcAuthenticator(options: OidcOptions): Authenticator {
  const { issuer: url, provider, clientId, algorithms } = options;
  const issuer = { url, provider, audiences: [clientId], algorithms, rules: claimRules(options) };
  return tokenIssuersAuthenticator({ ...options, issuers: [issuer] });
}

function claimRules(options: ClaimOptions): ClaimRules {
  const { usernameClaim, groupsClaim, groupsPrefix, requiredClaims } = options;
  return {
    required: requiredClaims.map(([claim, value]) => ({ claim, value })),
    username: { claim: usernameClaim, prefix: usernamePrefixOf(options) },
    groups: groupsClaim === '' ? undefined : { claim: groupsClaim, prefix: groupsPrefix, isListOnly: true },
    uid: undefined,
    extra: [],
    user: [],
  };
}

/** Names of the provider must not be those of others, unless that is wanted, or they are addresses. */
function usernamePrefixOf({ usernamePrefix, usernameClaim, issuer }: ClaimOptions): string {
  if (usernamePrefix === '-') return '';
  if (usernamePrefix !== '') return usernamePrefix;
  return usernameClaim === 'email' ? '' : `${issuer}#`;
}
