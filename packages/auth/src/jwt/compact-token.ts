import { findDuplicateKeys, isJsonObject, type JsonObject, parseJson } from '@orch/machinery';

/** Longer tokens are not looked at: those of this server have one or two kilobytes. */
export const MAX_TOKEN_CHARACTERS = 16_384;
const MAX_DEPTH = 16;

/** A signed token (JWS, RFC 7515, compact form) taken apart, and nothing of it believed yet. */
export interface CompactToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** What the signature is over. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

const form = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whether a bearer token has the outward form of a signed token; all other tokens are somebody else's. */
export const looksSigned = (token: string): boolean => {
  const first = token.indexOf('.');
  return first > 0 && token.indexOf('.', token.indexOf('.', first + 1) + 1) < 0 && form.test(token);
};

/**
 * Takes a token apart; undefined when it has any form but the one: three parts in base64url without padding or stray
 * bits, the first two of them JSON objects in which no member stands twice. There is no second way to read what passes.
 */
export function readCompactToken(token: string): CompactToken | undefined {
  if (token.length > MAX_TOKEN_CHARACTERS || !looksSigned(token)) return undefined;
  const [head = '', body = '', tail = ''] = token.split('.');
  const header = readMembers(head);
  const claims = readMembers(body);
  const signature = readBase64url(tail);
  if (header === undefined || claims === undefined || signature === undefined) return undefined;
  return { header, claims, signature, signed: Buffer.from(`${head}.${body}`, 'latin1') };
}

function readBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function readMembers(text: string): JsonObject | undefined {
  const bytes = readBase64url(text);
  if (bytes === undefined) return undefined;
  try {
    // Finding duplicates walks the whole text, and so knows its depth before anything recurses.
    if (findDuplicateKeys(bytes).length > 0) return undefined;
    const value = parseJson(bytes, { maxDepth: MAX_DEPTH });
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
