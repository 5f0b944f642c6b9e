/** The difference between the codes of a letter in upper and lower case. */
const DISTANCE = 32;

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** With letters of ASCII in lower case; others stay as they are. */
export const lowerAscii = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : shifted(text, 'A', DISTANCE);

/** With letters of ASCII in upper case; others stay as they are. */
export const upperAscii = (text: string): string =>
  isAscii(text) ? text.toUpperCase() : shifted(text, 'a', -DISTANCE);

/** Adds `distance` to the 26 units from `first`. */
function shifted(text: string, first: string, distance: number): string {
  const least = first.charCodeAt(0);
  const bytes = Buffer.from(text, 'utf16le');
  for (let at = 0; at < bytes.length; at += 2) {
    const low = bytes[at] ?? 0;
    if (low >= least && low < least + 26 && bytes[at + 1] === 0) bytes[at] = low + distance;
  }
  return bytes.toString('utf16le');
}
