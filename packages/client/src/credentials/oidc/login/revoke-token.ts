import type { OidcClient } from '../config.ts';
import { discoverProvider, sendForm } from '../provider.ts';

/**
 * Revokes a refresh token (RFC 7009). Resolves with false when the provider offers no revocation or refuses it; rejects when it does
 * not answer.
 */
export async function revokeToken(
  client: OidcClient,
  refreshToken: string,
  signal: AbortSignal,
): Promise<boolean> {
  const provider = await discoverProvider(client, signal);
  const url = provider.revocationEndpoint;
  if (url === undefined) return false;
  const fields = { token: refreshToken, token_type_hint: 'refresh_token' };
  return (await sendForm({ url, client, provider, fields }, signal)).status === 200;
}
