import { createHash } from 'node:crypto';

/** Digits that could form words, and their replacements. */
const replaced: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

const LENGTH = 10;

/** The hash of an object of a config map or secret, as kubectl appends it to names. */
export function contentHash(content: object): string {
  // JSON of Go escapes these characters.
  const text = JSON.stringify(sorted(content)).replace(/[<>&\u2028\u2029]/g, (one) => {
    const code = one.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
  const digest = createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
  return digest.replace(/[013ae]/g, (digit) => replaced[digit] ?? digit);
}

const sorted = (object: object): object =>
  Object.fromEntries(
    Object.entries(object)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, value !== null && typeof value === 'object' ? sorted(value) : value]),
  );
