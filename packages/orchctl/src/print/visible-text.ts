/** C0, DEL and C1 without tab and newline: they move the cursor, change colors or send answers of the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text whose control characters are visible and do nothing in a terminal: `^[` for escape, `\r` for a carriage return. */
export const visibleText = (text: string): string => text.replaceAll(control, caret);

function caret(char: string): string {
  const code = char.charCodeAt(0);
  if (char === '\r') return '\\r';
  return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `\\x${code.toString(16)}`;
}
