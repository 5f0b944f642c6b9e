import { createPrivateKey, type KeyObject } from 'node:crypto';

/**
 * The PEM text of a private key in the form of its algorithm, which every client reads: SEC1 (RFC 5915) for EC keys,
 * PKCS#1 (RFC 8017) for RSA keys, PKCS#8 (RFC 5958) for all others. Accepts a key or PEM text in any of these forms.
 */
export function privateKeyPem(key: KeyObject | string): string {
  const read = typeof key === 'string' ? createPrivateKey(key) : key;
  switch (read.asymmetricKeyType) {
    case 'ec':
      return read.export({ type: 'sec1', format: 'pem' }).toString();
    case 'rsa':
      return read.export({ type: 'pkcs1', format: 'pem' }).toString();
    default:
      return read.export({ type: 'pkcs8', format: 'pem' }).toString();
  }
}
