import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type ApiObject, namesFor } from '@orch/machinery';
import { type TestEnv, testEnv } from '@orch/machinery/testing';
import { type SigningKey, signingKey, signToken } from '@orch/pki/jws';
import { fixedKeys, type TokenKeys } from '../jwt/signature.ts';
import { type ServiceAccountOptions, serviceAccountAuthenticator } from '../service-account/authenticator.ts';
import {
  type RequestedToken,
  type TokenIssuerOptions,
  tokenIssuer,
} from '../service-account/token-issuer.ts';
import type { Authentication, Authenticator, Credentials } from '../types.ts';
import { MemoryObjectSource } from './memory-object-source.ts';

export const names = namesFor('orch');
export const issuer = 'https://issuer.example';
export const audience = 'https://api.example';

export const ecKey = (namedCurve = 'P-256'): SigningKey =>
  signingKey(generateKeyPairSync('ec', { namedCurve }).privateKey);
export const rsaKey = (): SigningKey =>
  signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

export const credentials = (token: string | undefined, more: Partial<Credentials> = {}): Credentials => ({
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  clientCertificate: undefined,
  connection: {},
  signal: new AbortController().signal,
  ...more,
});

/** The name of the user, the reason of a rejection, or `none`. */
export const resultOf = (answer: Authentication): string =>
  answer.kind === 'user' ? answer.user.name : answer.kind === 'rejected' ? answer.reason : 'none';

export const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with any header and any signature. */
export const handMade = (
  header: unknown,
  claims: unknown,
  signatureOf: (signed: string) => Buffer | string,
): string => {
  const signed = `${part(header)}.${part(claims)}`;
  const signature = signatureOf(signed);
  return `${signed}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;
};

/** Signs with a key, independent of the header. */
export const signedBy =
  ({ algorithm, privateKey }: SigningKey) =>
  (signed: string): Buffer => {
    const { RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;
    const pss = { padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST };
    return sign(`sha${algorithm.slice(2)}`, Buffer.from(signed), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
      ...(algorithm.startsWith('PS') ? pss : {}),
    });
  };

/** A token with any claims, signed by an implementation that is independent of the one under test. */
export const tokenOf = (claims: unknown, key: SigningKey): string =>
  handMade({ alg: key.algorithm, kid: key.id }, claims, signedBy(key));

export const hmac =
  (secret: string | Buffer) =>
  (signed: string): Buffer =>
    createHmac('sha256', secret).update(signed).digest();

/** The encodings of a public key that an implementation might use as an HMAC secret. */
export const publicForms = (key: KeyObject): readonly (string | Buffer)[] => [
  key.export({ type: 'spki', format: 'pem' }).toString(),
  key.export({ type: 'spki', format: 'pem' }).toString().trim(),
  key.export({ type: 'spki', format: 'der' }),
];

/** An object that a token is bound to. */
type BoundTo = NonNullable<RequestedToken['boundTo']>;

const object = (name: string, uid: string, rest: Partial<ApiObject> = {}): ApiObject => ({
  ...rest,
  metadata: { name, namespace: 'apps', uid, ...rest.metadata },
});

/** A cluster with the account `apps/robot` and the objects that its tokens can be bound to. */
export class TokenFixture {
  readonly env: TestEnv = testEnv();
  readonly source = new MemoryObjectSource();
  readonly key: SigningKey;

  constructor(key: SigningKey = ecKey()) {
    this.key = key;
    this.put('serviceaccounts', 'robot', 'account-1');
    this.put('pods', 'web', 'pod-1');
    this.put('secrets', 'pass', 'secret-1');
  }

  put(resource: string, name: string, uid: string, rest: Partial<ApiObject> = {}): void {
    this.source.put(resource, object(name, uid, rest));
  }

  get seconds(): number {
    return Math.floor(this.env.clock.now() / 1000);
  }

  issuer(options: Partial<TokenIssuerOptions> = {}) {
    const { clock } = this.env;
    const { key } = this;
    return tokenIssuer({
      names,
      clock,
      sign: (claims) => signToken(claims, key),
      issuer,
      audiences: [audience],
      maxSeconds: 0,
      extend: true,
      ...options,
    });
  }

  /** A token of the account for this server, with a lifetime of an hour by default. */
  async token(
    bound?: BoundTo,
    expirationSeconds = 3600,
    { podNode, ...options }: Partial<TokenIssuerOptions> & Pick<RequestedToken, 'podNode'> = {},
  ): Promise<string> {
    const { token } = await this.issuer(options).issue({
      account: { namespace: 'apps', name: 'robot', uid: 'account-1' },
      audiences: [audience],
      expirationSeconds,
      ...(bound === undefined ? {} : { boundTo: bound }),
      ...(podNode === undefined ? {} : { podNode }),
    });
    return token;
  }

  /** Claims of a token that this server issues. */
  async claims(): Promise<Record<string, unknown>> {
    const [, body = ''] = (await this.token()).split('.');
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  }

  /** Claims of the token in the secret `old`. */
  legacyClaims(): Record<string, unknown> {
    const { tokenClaims } = names;
    return {
      iss: tokenClaims.legacyIssuer,
      [tokenClaims.legacyNamespace]: 'apps',
      [tokenClaims.legacySecretName]: 'old',
      [tokenClaims.legacyAccountName]: 'robot',
      [tokenClaims.legacyAccountUid]: 'account-1',
      sub: 'system:serviceaccount:apps:robot',
    };
  }

  hold(token: string, uid = 'secret-2', rest: Partial<ApiObject> = {}): void {
    this.put('secrets', 'old', uid, { data: { token: Buffer.from(token).toString('base64') }, ...rest });
  }

  authenticator(
    options: Partial<ServiceAccountOptions> = {},
    keys: TokenKeys = fixedKeys([this.key]),
  ): Authenticator {
    const { clock, metrics } = this.env;
    return serviceAccountAuthenticator({
      names,
      clock,
      metrics,
      keys,
      source: this.source,
      issuers: [issuer, 'https://former.example'],
      audiences: [audience],
      lookup: true,
      ...options,
    });
  }
}
