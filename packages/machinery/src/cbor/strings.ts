import { isUtf8 } from 'node:buffer';
import { CborError } from './cbor-error.ts';
import type { ItemHeads } from './item-heads.ts';
import { BREAK, BYTES, INDEFINITE, TAG_BASE16, TAG_BASE64, TAG_BASE64URL } from './major-types.ts';

/** The encodings of text that tags announce for byte strings. */
export type LaterEncoding = 'base64url' | 'base64' | 'hex';

/** The encoding that a tag announces for the byte strings inside it; undefined for another tag. */
export function laterEncoding(tag: number | bigint): LaterEncoding | undefined {
  switch (tag) {
    case TAG_BASE64URL:
      return 'base64url';
    case TAG_BASE64:
      return 'base64';
    case TAG_BASE16:
      return 'hex';
    default:
      return undefined;
  }
}

/** Reads the text of the string whose head was read last. Byte strings without a `later` encoding are UTF-8 too. */
export function readString(heads: ItemHeads, later: LaterEncoding | undefined): string {
  const start = heads.at;
  const { major } = heads;
  const content = heads.info === INDEFINITE ? chunks(heads) : one(heads);
  if (major === BYTES && later !== undefined) return content.toString(later);
  const text = content.toString();
  // Malformed bytes become this character, which may also be there by itself.
  if (text.includes('\ufffd') && !isUtf8(content)) throw new CborError('a string is not valid UTF-8', start);
  return text;
}

function one(heads: ItemHeads): Buffer {
  const length = heads.length();
  const start = heads.at;
  heads.at = start + length;
  return heads.bytes.subarray(start, start + length);
}

/** The content of a string of unknown length: each chunk is a string of the same type with a length. */
function chunks(heads: ItemHeads): Buffer {
  const { major } = heads;
  const parts: Buffer[] = [];
  while (heads.bytes[heads.at] !== BREAK) {
    const start = heads.at;
    heads.next();
    if (heads.major !== major || heads.info === INDEFINITE)
      throw new CborError('a chunk of a string must be a string of the same type with a length', start);
    parts.push(one(heads));
  }
  heads.at += 1;
  return Buffer.concat(parts);
}
