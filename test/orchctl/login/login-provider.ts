import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { testCertificate } from '@orch/pki/x509/testing';
import OidcProvider from 'oidc-provider';

const ca = testCertificate({ commonName: 'provider-ca', use: 'authority' });
const serving = testCertificate({ commonName: 'provider', use: 'server' }, ca);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const clientSecret = 'a secret: of two words';

const client = {
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
};

/** A real provider over TLS, with logins in a browser and by device code, and refresh tokens that are valid once. */
export interface LoginProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly ca: string;
  /** The grant types of the successful requests for tokens so far. */
  readonly grants: readonly string[];
  /** Knows the client `console`, which it leads back to this address, from now on. */
  addConsole(redirectUrl: string): void;
}

export async function loginProvider(): Promise<LoginProvider> {
  let handle: ReturnType<OidcProvider['callback']> = () => Promise.resolve();
  const server = createServer(serving, (incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grants: string[] = [];
  const serve = (more: readonly object[]): void => {
    const provider = new OidcProvider(issuer, configuration(more));
    provider.on('grant.success', ({ oidc }) => void grants.push(oidc.params.grant_type));
    handle = provider.callback();
  };
  serve([]);
  return {
    issuer,
    ca: ca.cert,
    grants,
    addConsole(redirectUrl) {
      const web = { application_type: 'web', redirect_uris: [redirectUrl] };
      serve([{ ...client, ...web, client_id: 'console', client_secret: clientSecret }]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const configuration = (more: readonly object[]) => ({
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] },
  clients: [
    { ...client, client_id: 'orch', token_endpoint_auth_method: 'none' },
    { ...client, client_id: 'secret', client_secret: clientSecret },
    ...more,
  ],
  features: { deviceFlow: { enabled: true }, revocation: { enabled: true } },
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: true,
  ttl: {
    ...{ IdToken: 3600, AccessToken: 60, Grant: 3600, RefreshToken: 3600 },
    ...{ Interaction: 600, Session: 600, DeviceCode: 600 },
  },
});
