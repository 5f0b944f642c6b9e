/**
 * Copies all bytes of an array to the offset `at` of another one; throws a `RangeError` when it has no room for them. Of memory that
 * threads share, `set` and `copy` move whole arrays word by word, which takes ten times as long. A part of an array is moved as one block:
 * all bytes but the last one are such a part.
 */
export function copyBytes(source: Uint8Array, target: Uint8Array, at: number): void {
  const last = source.length - 1;
  if (at + last >= target.length) throw new RangeError(`no room for ${source.length} bytes at ${at}`);
  const final = source[last];
  if (final === undefined) return;
  Buffer.prototype.copy.call(source, target, at, 0, last);
  target[at + last] = final;
}
