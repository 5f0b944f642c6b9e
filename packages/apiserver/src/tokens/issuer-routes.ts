import { issuerDocument, keySetDocument, type TokenKeys } from '@orch/auth';
import type { BytesReply, Route } from '@orch/request';
import { KEY_SET_PATH, type TokenSettings } from '../settings/token-settings.ts';

const MAX_AGE_SECONDS = 3600;

const reply = (contentType: string, document: object, maxAge: number): BytesReply => ({
  kind: 'bytes',
  status: 200,
  headers: { 'Content-Type': contentType, 'Cache-Control': `public, max-age=${maxAge}` },
  body: Buffer.from(JSON.stringify(document)),
});

/**
 * Discovery documents for verifying service account tokens; none when the issuer is not an https URL. Clients may keep them for
 * `maxAgeSeconds`, an hour by default.
 */
export function issuerRoutes(
  { issuers, keySetUrl }: TokenSettings,
  keys: TokenKeys,
  maxAgeSeconds: () => number = () => MAX_AGE_SECONDS,
): readonly Route[] {
  if (keySetUrl === undefined) return [];
  const [issuer] = issuers;
  return [
    {
      path: '/.well-known/openid-configuration',
      orSlash: true,
      handle: () => reply('application/json', issuerDocument(issuer, keySetUrl, keys.all()), maxAgeSeconds()),
    },
    {
      path: KEY_SET_PATH,
      orSlash: true,
      handle: () => reply('application/jwk-set+json', keySetDocument(keys.all()), maxAgeSeconds()),
    },
  ];
}
