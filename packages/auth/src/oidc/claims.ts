import type { JWTPayload } from 'jose';
import type { UserInfo } from '../types.ts';

/** How claims become a user (access-control document, 5.6). */
export interface ClaimOptions {
  readonly issuer: string;
  readonly usernameClaim: string;
  /** Empty for the default, `-` for none. */
  readonly usernamePrefix: string;
  /** Empty for no groups. */
  readonly groupsClaim: string;
  readonly groupsPrefix: string;
  readonly requiredClaims: readonly (readonly [name: string, value: string])[];
  readonly implicitGroup: string;
}

/** The user of a verified token, or why there is none. */
export function userOfClaims(claims: JWTPayload, options: ClaimOptions): UserInfo | string {
  const { usernameClaim, groupsClaim, groupsPrefix, implicitGroup } = options;
  for (const [name, value] of options.requiredClaims) {
    if (own(claims, name) !== value) return `claim ${JSON.stringify(name)} is not as required`;
  }
  const name = own(claims, usernameClaim);
  if (typeof name !== 'string' || name === '') return `claim ${JSON.stringify(usernameClaim)} is no text`;
  const verified = own(claims, 'email_verified');
  if (usernameClaim === 'email' && verified !== undefined && verified !== true)
    return 'the e-mail address is not verified';
  const groups = groupsClaim === '' ? undefined : own(claims, groupsClaim);
  if (groups !== undefined && !isTexts(groups))
    return `claim ${JSON.stringify(groupsClaim)} is no list of texts`;
  return {
    name: prefixOf(options) + name,
    uid: '',
    groups: [...new Set([...(groups ?? []).map((group) => groupsPrefix + group), implicitGroup])],
    extra: {},
  };
}

const own = (claims: JWTPayload, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Names of the provider must not be those of others, unless that is wanted, or they are addresses. */
function prefixOf({ usernamePrefix, usernameClaim, issuer }: ClaimOptions): string {
  if (usernamePrefix === '-') return '';
  if (usernamePrefix !== '') return usernamePrefix;
  return usernameClaim === 'email' ? '' : `${issuer}#`;
}
