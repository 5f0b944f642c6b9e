import type { TokenKey } from '@orch/pki/jws';

/** A JSON Web Key Set (RFC 7517) with the public halves of keys. */
export function keySetDocument(keys: readonly TokenKey[]): object {
  return {
    keys: keys.map(({ id, publicKey, algorithms }) => ({
      use: 'sig',
      ...publicKey.export({ format: 'jwk' }),
      kid: id,
      alg: algorithms[0],
    })),
  };
}

/**
 * The discovery document of a token issuer (OpenID Connect Discovery 1.0), with the fields that verifiers of tokens
 * need.
 */
export function issuerDocument(issuer: string, keySetUrl: string, keys: readonly TokenKey[]): object {
  return {
    issuer,
    jwks_uri: keySetUrl,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithms }) => algorithms[0]))].sort(),
  };
}
