import type { OidcClient } from './config.ts';
import { textOf } from './json.ts';
import { discoverProvider, sendForm } from './provider.ts';
import { providerError } from './provider-error.ts';

/** The response of a provider to a refresh. */
export interface NewTokens {
  readonly idToken: string | undefined;
  /** Absent when the used refresh token stays valid. */
  readonly refreshToken: string | undefined;
}

/**
 * Exchanges a refresh token (OpenID Connect Core, 12), at the endpoint of the discovery document. Rejects with a CredentialError, and
 * with network errors.
 */
export async function refreshTokens(
  client: OidcClient,
  refreshToken: string,
  signal: AbortSignal,
): Promise<NewTokens> {
  const { idpIssuerUrl: issuer } = client;
  const provider = await discoverProvider(client, signal);
  const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const url = provider.tokenEndpoint;
  const { status, body, code } = await sendForm({ url, client, provider, fields }, signal);
  if (code === 'invalid_grant')
    throw providerError(
      issuer,
      'the refresh token is refused (invalid_grant): a new login is needed',
      'loginNeeded',
    );
  if (code === 'invalid_client')
    throw providerError(issuer, 'the client id or its secret is refused (invalid_client)');
  if (status !== 200)
    throw providerError(
      issuer,
      `a refresh was rejected with status ${status}${code === undefined ? '' : ` (${code})`}`,
    );
  if (body === undefined) throw providerError(issuer, 'the response to a refresh is not a JSON object');
  return { idToken: textOf(body, 'id_token'), refreshToken: textOf(body, 'refresh_token') };
}
