import type { TextOutput } from '../io.ts';

/** C0, DEL and C1 without tab and newline: they move the cursor, change colors or send answers of the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text whose control characters are visible and do nothing in a terminal: `^[` for escape, `\r` for a carriage return. */
export const visibleText = (text: string): string => text.replaceAll(control, caret);

/** A text for an output: on a terminal its control characters are visible, everything else gets the text as it is. */
export const textFor = ({ columns }: Pick<TextOutput, 'columns'>, text: string): string =>
  columns === undefined ? text : visibleText(text);

function caret(char: string): string {
  const code = char.charCodeAt(0);
  if (char === '\r') return '\\r';
  return code < 0x80 ? `^${String.fromCharCode(code ^ 0x40)}` : `\\x${code.toString(16)}`;
}
