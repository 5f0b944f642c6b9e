import type { Names } from '@orch/machinery';
import { UsageError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

/** The checked flags of service account tokens. */
export interface TokenSettings {
  /** At least one; new tokens have the first. */
  readonly issuers: readonly [string, ...string[]];
  readonly audiences: readonly string[];
  /** Maximum lifetime of a token in seconds; 0 for no limit. */
  readonly maxSeconds: number;
  /** URL of the keys; undefined when the issuer is not a URL. */
  readonly keySetUrl: string | undefined;
}

type TokenFlags = Pick<
  ApiServerFlags,
  'serviceAccountIssuers' | 'serviceAccountJwksUri' | 'apiAudiences' | 'serviceAccountMaxTokenExpiration'
>;

export const KEY_SET_PATH = '/openid/v1/jwks';
const LEAST_MS = 3_600_000;
const MOST_MS = 2 ** 32 * 1000;

/** Checks the flags. Throws `UsageError`. */
export function tokenSettings(flags: TokenFlags, names: Names): TokenSettings {
  const { serviceAccountMaxTokenExpiration: maxMs, serviceAccountIssuers: issuers } = flags;
  if (maxMs !== 0 && (maxMs < LEAST_MS || maxMs > MOST_MS)) {
    throw new UsageError(
      'invalid value for --service-account-max-token-expiration: must be between 1 hour and 2^32 seconds',
    );
  }
  for (const issuer of issuers) checkIssuer(issuer, names);
  const [first = `https://${names.defaultService}.${names.namespaces.default}.svc`, ...former] = issuers;
  return {
    issuers: [first, ...former],
    audiences: flags.apiAudiences.length === 0 ? [first, ...former] : flags.apiAudiences,
    maxSeconds: Math.floor(maxMs / 1000),
    keySetUrl: keySetUrl(first, flags.serviceAccountJwksUri),
  };
}

/** An issuer with a colon must be a URL (RFC 7519); one without can be any string except that of tokens in secrets. */
function checkIssuer(issuer: string, { tokenClaims }: Names): void {
  if (issuer === tokenClaims.legacyIssuer)
    throw new UsageError(
      `invalid value "${issuer}" for --service-account-issuer: it is reserved for tokens in secrets`,
    );
  if (issuer.includes(':') && !URL.canParse(issuer))
    throw new UsageError(
      `invalid value ${JSON.stringify(issuer)} for --service-account-issuer: must be a URL`,
    );
}

function keySetUrl(issuer: string, given: string): string | undefined {
  if (given !== '' && !isHttps(given)) {
    throw new UsageError(
      `invalid value ${JSON.stringify(given)} for --service-account-jwks-uri: must be an https URL`,
    );
  }
  if (!isHttps(issuer)) return undefined;
  return given === '' ? `${issuer.replace(/\/$/, '')}${KEY_SET_PATH}` : given;
}

/** Discovery needs an issuer to which a path can be appended. */
function isHttps(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.search === '' && url.hash === '';
}
