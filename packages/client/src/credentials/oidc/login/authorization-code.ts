import type { Random } from '@orch/machinery';
import { knownErrorCode, sendForm } from '../provider.ts';
import { providerError } from '../provider-error.ts';
import { type LoginContext, type LoginTokens, loginRefusal, loginTokens } from './login-tokens.ts';

/** A login in a browser that has begun. Each has its own secrets, which are in memory only. */
export interface AuthorizationRequest {
  /** The URL at which the user logs in. Contains no secret that is useful without `verifier`. */
  readonly url: URL;
  readonly redirectUrl: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret whose hash is in the URL (RFC 7636): the code is useless without it. */
  readonly verifier: string;
}

/** Begins a login with an authorization code and PKCE. Throws a CredentialError when the provider has none. */
export function authorizationRequest(
  { client, provider, scope }: LoginContext,
  { redirectUrl, random }: { readonly redirectUrl: string; readonly random: Random },
): AuthorizationRequest {
  if (provider.authorizationEndpoint === undefined)
    throw providerError(client.idpIssuerUrl, 'it offers no login in a browser: use --method=device');
  const secret = (): string => random.bytes(32).toString('base64url');
  const [state, nonce, verifier] = [secret(), secret(), secret()];
  const url = new URL(provider.authorizationEndpoint);
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUrl,
    scope,
    state,
    nonce,
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
    // Providers issue refresh tokens for `offline_access` after a consent only.
    ...(scope.split(' ').includes('offline_access') && { prompt: 'consent' }),
  }))
    url.searchParams.set(name, value);
  return { url, redirectUrl, state, nonce, verifier };
}

/** The meaning of a redirection to this program: one of this login, with its code or failure, or of something else. */
export type RedirectResult =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'failed'; readonly error: Error };

/** Reads a redirection. Those without the state of the login, or of another issuer (RFC 9207), are foreign. */
export function redirectResult(
  { client, provider }: LoginContext,
  request: AuthorizationRequest,
  query: URLSearchParams,
): RedirectResult {
  const once = (name: string): string | undefined => {
    const [value, ...more] = query.getAll(name);
    return more.length === 0 ? value : undefined;
  };
  if (!isEqual(once('state') ?? '', request.state)) return { kind: 'foreign' };
  const issuer = once('iss');
  const isIssuerRight =
    issuer === undefined ? !provider.sendsIssuer : withoutSlash(issuer) === withoutSlash(client.idpIssuerUrl);
  if (!isIssuerRight) return { kind: 'foreign' };
  const code = once('code');
  if (code !== undefined && code !== '' && !query.has('error')) return { kind: 'code', code };
  const refusal = loginRefusal(302, knownErrorCode(once('error')));
  return { kind: 'failed', error: providerError(client.idpIssuerUrl, refusal) };
}

/** Exchanges the code of a login for its tokens. Rejects with a CredentialError, and with network errors. */
export async function exchangeCode(
  { client, provider }: LoginContext,
  request: AuthorizationRequest & { readonly code: string },
  signal: AbortSignal,
): Promise<LoginTokens> {
  const fields = {
    grant_type: 'authorization_code',
    code: request.code,
    redirect_uri: request.redirectUrl,
    code_verifier: request.verifier,
  };
  const response = await sendForm({ url: provider.tokenEndpoint, client, provider, fields }, signal);
  return loginTokens(response, { client, nonce: request.nonce });
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const sha256 = (text: string): Buffer =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest();

/** In a time that does not depend on the strings. */
const isEqual = (a: string, b: string): boolean =>
  process.getBuiltinModule('node:crypto').timingSafeEqual(sha256(a), sha256(b));
