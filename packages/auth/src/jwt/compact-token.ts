import { findDuplicateKeys, isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';

/** Longer tokens are refused without being parsed: those of this server have one or two kilobytes. */
export const MAX_TOKEN_CHARACTERS = 16_384;
const MAX_DEPTH = 16;

/** A parsed JSON Web Token (JWS, RFC 7515, compact form) whose signature is not verified yet. */
export interface CompactToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** The token as presented. */
  readonly text: string;
}

const compactForm = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Reports whether a bearer token has the syntax of a signed token; other authenticators handle all other tokens. */
export const looksSigned = (token: string): boolean => {
  const first = token.indexOf('.');
  return first > 0 && token.indexOf('.', token.indexOf('.', first + 1) + 1) < 0 && compactForm.test(token);
};

/**
 * Parses a token; undefined unless it is in canonical form: three parts in base64url without padding or stray bits, the
 * first two of them JSON objects without duplicate names. A token that passes has one possible reading.
 */
export function readCompactToken(token: string): CompactToken | undefined {
  if (token.length > MAX_TOKEN_CHARACTERS || !looksSigned(token)) return undefined;
  const [head = '', body = '', tail = ''] = token.split('.');
  const header = readJsonPart(head);
  const claims = readJsonPart(body);
  if (header === undefined || claims === undefined || readBase64url(tail) === undefined) return undefined;
  return { header, claims, text: token };
}

function readBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function readJsonPart(text: string): JsonObject | undefined {
  const bytes = readBase64url(text);
  if (bytes === undefined) return undefined;
  try {
    // The search for duplicates scans the whole text, which limits its depth before anything recurses.
    if (findDuplicateKeys(bytes).length > 0) return undefined;
    const value = parseJson(bytes, { maxDepth: MAX_DEPTH });
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
