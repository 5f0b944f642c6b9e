import { constants, type KeyObject, type SignKeyObjectInput, sign, verify } from 'node:crypto';

/** How one algorithm of RFC 7518 is asked of node:crypto. */
interface Algorithm {
  readonly hash: 'sha256' | 'sha384' | 'sha512';
  readonly key: 'rsa' | 'ec';
  /** Curve of the key, as OpenSSL names it; absent for RSA. */
  readonly curve?: string;
  readonly options: Omit<SignKeyObjectInput, 'key'>;
}

const hashes = { 256: 'sha256', 384: 'sha384', 512: 'sha512' } as const;

const rsa = (bits: keyof typeof hashes): Algorithm => ({
  hash: hashes[bits],
  key: 'rsa',
  options: { padding: constants.RSA_PKCS1_PADDING },
});
const pss = (bits: keyof typeof hashes): Algorithm => ({
  hash: hashes[bits],
  key: 'rsa',
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
});
const ecdsa = (bits: keyof typeof hashes, curve: string): Algorithm => ({
  hash: hashes[bits],
  key: 'ec',
  curve,
  // Both numbers in a row, each as long as the curve says: no second way to write a signature.
  options: { dsaEncoding: 'ieee-p1363' },
});

/** All that is accepted. None of them takes a secret, so that no public key can be mistaken for one. */
const algorithms = new Map<string, Algorithm>([
  ['RS256', rsa(256)],
  ['RS384', rsa(384)],
  ['RS512', rsa(512)],
  ['PS256', pss(256)],
  ['PS384', pss(384)],
  ['PS512', pss(512)],
  ['ES256', ecdsa(256, 'prime256v1')],
  ['ES384', ecdsa(384, 'secp384r1')],
  ['ES512', ecdsa(512, 'secp521r1')],
]);

/** Algorithms that a key can be used with, the one to sign with first; empty for other kinds of keys. */
export function algorithmsOf(key: KeyObject): readonly string[] {
  const type = key.asymmetricKeyType;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return [...algorithms]
    .filter(
      ([, algorithm]) => algorithm.key === type && algorithm.curve === (type === 'ec' ? curve : undefined),
    )
    .map(([name]) => name);
}

const algorithmNamed = (name: string): Algorithm => {
  const found = algorithms.get(name);
  if (found === undefined) throw new TypeError(`there is no algorithm ${name}`);
  return found;
};

export function signBytes(algorithm: string, key: KeyObject, bytes: Uint8Array): Buffer {
  const { hash, options } = algorithmNamed(algorithm);
  return sign(hash, bytes, { key, ...options });
}

export function verifyBytes(
  algorithm: string,
  key: KeyObject,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const { hash, options } = algorithmNamed(algorithm);
  return verify(hash, bytes, { key, ...options }, signature);
}
