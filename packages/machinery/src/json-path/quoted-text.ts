export type Quote = '"' | "'";

const simple: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  '\\': '\\',
};

const escapes = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|.|$)/gsu;

/** The text between quotes with the escapes of Go resolved; undefined for an escape that Go does not have. */
export function unquoted(text: string, quote: Quote): string | undefined {
  if (!text.includes('\\')) return text;
  let isValid = true;
  const result = text.replace(escapes, (_, code: string) => {
    const value = code === quote ? quote : (simple[code] ?? numbered(code));
    isValid &&= value !== undefined;
    return value ?? '';
  });
  return isValid ? result : undefined;
}

/** The character of a number behind a backslash; undefined without a number, or for one that no character has. */
function numbered(escaped: string): string | undefined {
  const isOctal = /^[0-7]{3}$/.test(escaped);
  if (!isOctal && escaped.length < 3) return undefined;
  const code = isOctal ? Number.parseInt(escaped, 8) : Number.parseInt(escaped.slice(1), 16);
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
