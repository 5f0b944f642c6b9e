import type { JsonObject } from '@orch/machinery/json';
import { CompactSign, SignJWT } from 'jose';
import type { SigningKey } from './signing-key.ts';

/** A JSON Web Token (RFC 7519) with these claims; its header names the algorithm and the key. */
export const signToken = (claims: JsonObject, { algorithm, id, privateKey }: SigningKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);

/** A secret shared by the signer and the verifier. */
export interface SharedSecret {
  readonly id: string;
  readonly secret: string;
}

/**
 * A JWS with detached content (RFC 7515, appendix F) over a string, with HMAC-SHA256: to verify it, put the text in
 * base64url without padding between the two dots.
 */
export async function signDetached(text: string, { id, secret }: SharedSecret): Promise<string> {
  const encoder = new TextEncoder();
  const compact = await new CompactSign(encoder.encode(text))
    .setProtectedHeader({ alg: 'HS256', kid: id })
    .sign(encoder.encode(secret));
  const [header = '', , signature = ''] = compact.split('.');
  return `${header}..${signature}`;
}
