/** The smallest key greater than every key that begins with `prefix`; undefined for the empty prefix. */
export function prefixEnd(prefix: string): string | undefined {
  if (prefix === '') return undefined;
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

const LATIN1 = /^[\0-\xff]*$/;
/** V8 makes a slice that keeps its parent alive from this length on. */
const SLICED_FROM = 13;

/**
 * A copy of `text` that keeps nothing else alive. A string cut out of a longer one may be a view that holds the whole
 * of it, here the text of an object; what is kept for as long as the object lives must not do that.
 */
export function ownString(text: string): string {
  if (text.length < SLICED_FROM) return text;
  const encoding = LATIN1.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
