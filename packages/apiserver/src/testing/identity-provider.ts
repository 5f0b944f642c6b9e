import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { type JWTPayload, SignJWT } from 'jose';
import OidcProvider from 'oidc-provider';

const issue = (commonName: string, use: 'authority' | 'server', issuer?: KeyPair): KeyPair =>
  testCertificate({ commonName, use }, issuer);
export const ca = issue('provider-ca', 'authority');
export const otherCa = issue('other-ca', 'authority');
const serving = issue('provider', 'server', ca);

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export const rsaKey = (kid: string, alg = 'RS256'): SigningKey => ({
  kid,
  alg,
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});
export const first = rsaKey('first');
export const second = rsaKey('second');
export const curve: SigningKey = {
  kid: 'curve',
  alg: 'ES256',
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};

/**
 * A real identity provider over TLS, whose keys can be replaced. With another issuer than its address, its keys are still
 * below `address`.
 */
export async function startProvider({ issuer: given }: { readonly issuer?: string } = {}) {
  let keys: readonly SigningKey[] = [first, curve];
  let handle: ReturnType<OidcProvider['callback']> = () => Promise.resolve();
  const requests: string[] = [];
  const server: Server = createServer(serving, (incoming, outgoing) => {
    requests.push(incoming.url ?? '');
    void handle(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = given ?? address;
  const rotate = (next: readonly SigningKey[]): void => {
    keys = next;
    const provider = new OidcProvider(issuer, {
      jwks: {
        keys: keys.map(({ kid, alg, privateKey }) => ({
          ...privateKey.export({ format: 'jwk' }),
          kid,
          alg,
          use: 'sig',
        })),
      },
      clients: [{ client_id: 'orch', client_secret: 'secret', redirect_uris: ['https://127.0.0.1/cb'] }],
    });
    handle = provider.callback();
  };
  rotate(keys);
  return { address, issuer, requests, rotate, close: () => server.close() };
}

export const signToken = (payload: JWTPayload, key: SigningKey = first): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(key.privateKey);
