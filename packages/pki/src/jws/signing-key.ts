import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A key that verifies tokens. */
export interface TokenKey {
  /**
   * The `kid` of tokens: SHA-256 over the public key (SubjectPublicKeyInfo, DER), in base64url, except for keys whose owner has
   * chosen it.
   */
  readonly id: string;
  readonly publicKey: KeyObject;
  /** Algorithms that are accepted with the key, the default for signing first. */
  readonly algorithms: readonly string[];
}

/** A key that signs tokens. */
export interface SigningKey extends TokenKey {
  readonly privateKey: KeyObject;
  readonly algorithm: string;
}

/** An unusable key. The message gives the reason and contains no part of the key. */
export class TokenKeyError extends Error {
  override readonly name = 'TokenKeyError';
}

const MIN_RSA_BITS = 2048;
const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/**
 * Reads all public keys of a PEM text: from public keys, private keys and certificates. Text around the blocks is ignored.
 * Throws `TokenKeyError` when a key is unusable or there is none.
 */
export function readTokenKeys(pem: string): readonly TokenKey[] {
  const blocks = [...pem.matchAll(block)].filter(([, label]) => label !== 'EC PARAMETERS');
  if (blocks.length === 0) throw new TokenKeyError('it contains no key');
  return blocks.map(([text, label = ''], index) => {
    try {
      return tokenKey(createPublicKey(text));
    } catch (error) {
      if (error instanceof TokenKeyError) throw error;
      throw new TokenKeyError(`block ${index + 1} (${label}) is not a readable key`, { cause: error });
    }
  });
}

/** A key with an id of its owner, from SubjectPublicKeyInfo in DER. Throws `TokenKeyError`. */
export function namedTokenKey(publicKey: Buffer, id: string): TokenKey {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  } catch (error) {
    throw new TokenKeyError('it is not a readable key', { cause: error });
  }
  return { ...tokenKey(key), id };
}

/** Reads the first private key of a PEM text; undefined when there is none. */
export function readSigningKey(pem: string): SigningKey | undefined {
  const found = [...pem.matchAll(block)].find(([, label = '']) => label.endsWith('PRIVATE KEY'));
  if (found === undefined) return undefined;
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(found[0]);
  } catch (error) {
    throw new TokenKeyError('the private key cannot be read', { cause: error });
  }
  return signingKey(privateKey);
}

export function signingKey(privateKey: KeyObject): SigningKey {
  const key = tokenKey(createPublicKey(privateKey));
  const [algorithm = ''] = key.algorithms;
  return { ...key, privateKey, algorithm };
}

function tokenKey(publicKey: KeyObject): TokenKey {
  const algorithms = algorithmsOf(publicKey);
  if (algorithms.length === 0) {
    throw new TokenKeyError(
      `a key of type ${publicKey.asymmetricKeyType ?? 'unknown'} cannot sign tokens: it must be RSA, or ECDSA over P-256, P-384 or P-521`,
    );
  }
  const bits = publicKey.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < MIN_RSA_BITS)
    throw new TokenKeyError(`an RSA key of ${bits} bits is too short: the minimum is ${MIN_RSA_BITS}`);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { id: createHash('sha256').update(der).digest('base64url'), publicKey, algorithms };
}

/** Algorithms of RFC 7518 by the curve of an ECDSA key, as OpenSSL names it. */
const ecdsaAlgorithms: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

const rsaAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;

/**
 * Algorithms that a key can be used with, the default for signing first; empty for unsupported keys. None of them is
 * symmetric, so that a public key cannot be used as a secret.
 */
function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa') return rsaAlgorithms;
  if (asymmetricKeyType !== 'ec') return [];
  const algorithm = ecdsaAlgorithms[asymmetricKeyDetails?.namedCurve ?? ''];
  return algorithm === undefined ? [] : [algorithm];
}
