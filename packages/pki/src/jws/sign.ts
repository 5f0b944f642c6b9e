import { createHmac } from 'node:crypto';
import type { JsonObject } from '@orch/machinery';
import { signBytes } from './algorithms.ts';
import type { SigningKey } from './signing-key.ts';

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with these claims: a JWS in compact form (RFC 7515). */
export function signToken(claims: JsonObject, key: SigningKey): string {
  const signed = `${encode({ alg: key.algorithm, kid: key.id })}.${encode(claims)}`;
  return `${signed}.${signBytes(key.algorithm, key.privateKey, Buffer.from(signed)).toString('base64url')}`;
}

/** What a text is signed with when both sides know a secret. */
export interface SharedSecret {
  readonly id: string;
  readonly secret: string;
}

/**
 * A JWS over a text that is carried elsewhere (RFC 7515, appendix F), with HMAC-SHA256: whoever checks it puts the text,
 * in base64url without padding, between the two dots.
 */
export function signDetached(text: string, { id, secret }: SharedSecret): string {
  const header = encode({ alg: 'HS256', kid: id });
  const payload = Buffer.from(text).toString('base64url');
  const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
  return `${header}..${signature}`;
}
