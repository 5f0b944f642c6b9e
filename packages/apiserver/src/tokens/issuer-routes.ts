import { issuerDocument, keySetDocument, type TokenKeys } from '@orch/auth';
import type { BytesReply, Route } from '@orch/request';
import { KEY_SET_PATH, type TokenSettings } from '../settings/token-settings.ts';

const reply = (contentType: string, document: object): BytesReply => ({
  kind: 'bytes',
  status: 200,
  headers: { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=3600' },
  body: Buffer.from(JSON.stringify(document)),
});

/** Discovery documents for verifying service account tokens; none when the issuer is not an https URL. */
export function issuerRoutes({ issuers, keySetUrl }: TokenSettings, keys: TokenKeys): readonly Route[] {
  if (keySetUrl === undefined) return [];
  const [issuer] = issuers;
  return [
    {
      path: '/.well-known/openid-configuration',
      orSlash: true,
      handle: () => reply('application/json', issuerDocument(issuer, keySetUrl, keys.all())),
    },
    {
      path: KEY_SET_PATH,
      orSlash: true,
      handle: () => reply('application/jwk-set+json', keySetDocument(keys.all())),
    },
  ];
}
