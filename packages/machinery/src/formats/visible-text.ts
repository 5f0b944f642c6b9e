/**
 * C0, DEL and C1 without tab and newline, which move the cursor, change colors or send answers of the terminal, and the
 * characters that reorder the text around them (U+202A to U+202E, U+2066 to U+2069).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A string whose control characters are visible and do nothing in a terminal: `^[` for escape, `\r` for a carriage return,
 * `\u202e` for an override of the direction.
 */
export const visibleText = (text: string): string => text.replaceAll(control, caret);

function caret(char: string): string {
  const code = char.charCodeAt(0);
  if (char === '\r') return '\\r';
  return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
