import { staticTable } from './hpack-static-table.ts';

/**
 * Encodes a header block without state: fields of the static table by index, everything else as a literal that is not
 * added to the peer's dynamic table. The block may therefore be encoded once and sent with every request. Names and
 * values must be ASCII. Fields with `secret` names are encoded as never indexed.
 */
export function encodeHeaderBlock(
  fields: readonly (readonly [name: string, value: string])[],
  secret: ReadonlySet<string> = new Set(),
): Buffer {
  const bytes: number[] = [];
  for (const [name, value] of fields) {
    const whole = staticTable.findIndex(([n, v]) => n === name && v === value);
    if (whole >= 0) {
      integer(bytes, 0x80, 7, whole + 1);
      continue;
    }
    const named = staticTable.findIndex(([n]) => n === name);
    integer(bytes, secret.has(name) ? 0x10 : 0x00, 4, named + 1);
    if (named < 0) string(bytes, name);
    string(bytes, value);
  }
  return Buffer.from(bytes);
}

function string(bytes: number[], text: string): void {
  integer(bytes, 0, 7, text.length);
  for (let i = 0; i < text.length; i++) bytes.push(text.charCodeAt(i));
}

/** RFC 7541 section 5.1. */
function integer(bytes: number[], pattern: number, prefixBits: number, value: number): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    bytes.push(pattern | value);
    return;
  }
  bytes.push(pattern | mask);
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}
