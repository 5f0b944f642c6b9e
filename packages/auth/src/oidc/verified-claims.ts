import {
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  errors as jose,
  jwtVerify,
} from 'jose';

/** Maximum number of keys that are tried for a token without a key id. */
const MAX_KEYS_TRIED = 16;

/** Returns the claims of a token that is signed by the key it names, or by any suitable key if it names none. Rejects with errors of `jose`. */
export async function verifiedClaims(
  token: string,
  keyOf: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keyOf, options)).payload;
  } catch (error) {
    if (!(error instanceof jose.JWKSMultipleMatchingKeys)) throw error;
    return claimsByAny(token, error, options);
  }
}

async function claimsByAny(
  token: string,
  keys: jose.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let tried = 0;
  for await (const key of keys) {
    if (tried++ === MAX_KEYS_TRIED) break;
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof jose.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new jose.JWSSignatureVerificationFailed();
}
