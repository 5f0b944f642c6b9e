import type { KeyObject } from 'node:crypto';

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
export function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa') return rsaAlgorithms;
  if (asymmetricKeyType !== 'ec') return [];
  const algorithm = ecdsaAlgorithms[asymmetricKeyDetails?.namedCurve ?? ''];
  return algorithm === undefined ? [] : [algorithm];
}
