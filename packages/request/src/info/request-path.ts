import { errors } from '@orch/machinery';

/** Maximum path length in characters as sent (names have at most 253). */
export const MAX_PATH_LENGTH = 8192;

const hex = /^[0-9A-Fa-f]{2}$/;

/** Separators and control characters, which no decoded segment may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const forbidden = /[/\\\u0000-\u001f\u007f]/;

/** Characters that a request target must not contain as sent (RFC 3986 is stricter; real clients are not). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
const unsafe = /[\u0000-\u0020\u007f-\uffff]/;

/**
 * Checks a path as sent, before it is split. Paths are never normalised: an ambiguous path is refused with 400.
 */
export function checkPath(rawPath: string): void {
  if (rawPath.length > MAX_PATH_LENGTH) throw errors.badRequest('the request path is too long');
  if (rawPath.charCodeAt(0) !== 0x2f) throw errors.badRequest('the request path must begin with "/"');
  if (unsafe.test(rawPath))
    throw errors.badRequest('the request path contains characters that must be percent-encoded');
}

/** Decodes one segment; refuses (400) decoded separators and dot segments. */
export function decodeSegment(segment: string): string {
  if (segment === '.' || segment === '..')
    throw errors.badRequest('the request path must not contain "." or ".." segments');
  if (!segment.includes('%')) {
    if (segment.includes('\\')) throw errors.badRequest('the request path must not contain backslashes');
    return segment;
  }
  const decoded = decodePercent(segment);
  if (forbidden.test(decoded)) {
    throw errors.badRequest('the request path must not contain encoded separators or control characters');
  }
  if (decoded === '.' || decoded === '..') {
    throw errors.badRequest('the request path must not contain "." or ".." segments');
  }
  return decoded;
}

function decodePercent(segment: string): string {
  for (let at = segment.indexOf('%'); at >= 0; at = segment.indexOf('%', at + 1)) {
    if (!hex.test(segment.slice(at + 1, at + 3)))
      throw errors.badRequest('the request path contains a malformed percent-encoding');
  }
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    if (cause instanceof URIError) throw errors.badRequest('the request path is not valid UTF-8');
    throw cause;
  }
}
