import { PatchError } from './patch-error.ts';

/**
 * Parses a JSON pointer (RFC 6901) into its unescaped tokens; `''` is the whole document. A `~` that begins no escape
 * sequence is literal, as in other servers of this API.
 */
export function parsePointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) {
    throw new PatchError(
      'failed',
      `${JSON.stringify(text)} is not a JSON pointer: it must be empty or begin with "/"`,
    );
  }
  const tokens = text.slice(1).split('/');
  return text.includes('~') ? tokens.map(unescapeToken) : tokens;
}

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * The position that a token names in an array of `length` items: -1 is the last one, leading zeros and a sign are
 * permitted, as in other servers of this API. Returns undefined if the token names no position from 0 to `length` - 1.
 */
export function arrayIndex(token: string, length: number): number | undefined {
  if (!/^[+-]?[0-9]{1,18}$/.test(token)) return undefined;
  const index = Number(token);
  if (index < -length || index >= length) return undefined;
  return index < 0 ? index + length : index;
}

/** True when `outer` is `inner` or one of its ancestors. */
export const isPrefix = (outer: readonly string[], inner: readonly string[]): boolean =>
  outer.length <= inner.length && outer.every((token, i) => token === inner[i]);
