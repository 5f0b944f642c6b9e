import { isJsonObject, parseJson } from '@orch/machinery/json';

const compact = /^[\w-]+\.([\w-]+)\.[\w-]*$/;

/**
 * Expiration of an id token, in epoch milliseconds. Undefined for a string that is not in JWS compact form with the claim
 * `exp`. The signature is not verified: the token is that of the user, and the server verifies it.
 */
export function idTokenExpiry(token: string): number | undefined {
  const payload = compact.exec(token)?.[1];
  if (payload === undefined) return undefined;
  try {
    const claims = parseJson(Buffer.from(payload, 'base64url'));
    const seconds = isJsonObject(claims) && Object.hasOwn(claims, 'exp') ? claims['exp'] : undefined;
    return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
