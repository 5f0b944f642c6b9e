import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import type { OidcClient } from '../config.ts';
import { own, textOf } from '../json.ts';
import type { FormResponse, OidcProvider } from '../provider.ts';
import { providerError } from '../provider-error.ts';

/** A client that logs in at a provider. */
export interface LoginContext {
  readonly client: OidcClient;
  readonly provider: OidcProvider;
  /** Separated by blanks; `openid` is one of them. */
  readonly scope: string;
}

/** The result of a login. */
export interface LoginTokens {
  readonly idToken: string;
  /** Absent when the provider issues none: the login then ends with the id token. */
  readonly refreshToken: string | undefined;
}

/**
 * The tokens of a response, with the claims of the id token verified (OpenID Connect Core, 3.1.3.7): issuer, audience, and nonce
 * if one was sent. Its signature is not: it comes from the token endpoint over TLS, and the server verifies it. Throws a
 * CredentialError.
 */
export function loginTokens(
  { status, body, code }: FormResponse,
  { client, nonce }: { readonly client: OidcClient; readonly nonce: string | undefined },
): LoginTokens {
  const { idpIssuerUrl: issuer, clientId } = client;
  if (status !== 200) throw providerError(issuer, loginRefusal(status, code));
  if (body === undefined) throw providerError(issuer, 'the response to the login is not a JSON object');
  const idToken = textOf(body, 'id_token');
  if (idToken === undefined)
    throw providerError(issuer, 'the response to the login has no id token: the scopes must include openid');
  const claims = claimsOf(idToken);
  if (claims === undefined) throw providerError(issuer, 'the id token cannot be parsed');
  if (textOf(claims, 'iss')?.replace(/\/+$/, '') !== issuer.replace(/\/+$/, ''))
    throw providerError(issuer, 'the id token is that of another issuer');
  const audience = own(claims, 'aud');
  if (!(Array.isArray(audience) ? audience : [audience]).includes(clientId))
    throw providerError(issuer, 'the id token is for another client');
  if (nonce !== undefined && own(claims, 'nonce') !== nonce)
    throw providerError(issuer, 'the id token is that of another login (its nonce differs)');
  return { idToken, refreshToken: textOf(body, 'refresh_token') };
}

export function loginRefusal(status: number, code: string | undefined): string {
  if (code === 'invalid_client') return 'the client id or its secret is refused (invalid_client)';
  if (code === 'access_denied') return 'the login was denied (access_denied)';
  return code === undefined ? `the login was rejected with status ${status}` : `the login failed (${code})`;
}

function claimsOf(idToken: string): JsonObject | undefined {
  const [, payload, ...rest] = idToken.split('.');
  if (payload === undefined || rest.length !== 1) return undefined;
  try {
    const claims = parseJson(Buffer.from(payload, 'base64url'));
    return isJsonObject(claims) && typeof own(claims, 'exp') === 'number' ? claims : undefined;
  } catch {
    return undefined;
  }
}
