import type { Credentials } from './types.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The values of a field in order, each as sent: commas within a value do not separate. */
export function headerValues(
  { headers, repeated }: Pick<Credentials, 'headers' | 'repeated'>,
  name: string,
): readonly string[] {
  const several = repeated?.get(name);
  if (several !== undefined) return several;
  const value = headers[name];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Fields arrive as bytes, one character each: decodes them as UTF-8; undefined when they are invalid. */
export function utf8Text(value: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is what it looks for.
  if (/^[\u0000-\u007f]*$/.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Decodes a percent-encoded name; a string that is not valid percent-encoding is returned unchanged. */
export function percentDecoded(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
