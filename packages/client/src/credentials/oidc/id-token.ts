import { isJsonObject, parseJson } from '@orch/machinery';

const compact = /^[\w-]+\.([\w-]+)\.[\w-]*$/;

/**
 * When an id token ends, in epoch milliseconds. Undefined for what is no id token: of JWS compact form with the claim
 * `exp`. The signature is not looked at: the token is the user's own, and the server is who has to trust it.
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
