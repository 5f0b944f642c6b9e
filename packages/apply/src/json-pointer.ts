import { PatchError } from './patch-error.ts';

/** Reads a JSON pointer (RFC 6901) into its unescaped tokens; `''` is the whole document. */
export function parsePointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) {
    throw new PatchError(
      'failed',
      `${JSON.stringify(text)} is no JSON pointer: it must be empty or begin with "/"`,
    );
  }
  if (/~(?![01])/.test(text)) {
    throw new PatchError(
      'failed',
      `${JSON.stringify(text)} is no JSON pointer: "~" must be followed by 0 or 1`,
    );
  }
  const tokens = text.slice(1).split('/');
  return text.includes('~') ? tokens.map(unescapeToken) : tokens;
}

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The index that a token names in an array: digits without a leading zero; undefined for anything else. */
export function arrayIndex(token: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,9})$/.test(token) ? Number(token) : undefined;
}

/** True when `outer` is `inner` or one of its ancestors. */
export const isPrefix = (outer: readonly string[], inner: readonly string[]): boolean =>
  outer.length <= inner.length && outer.every((token, i) => token === inner[i]);
