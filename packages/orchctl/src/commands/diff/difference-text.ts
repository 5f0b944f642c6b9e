import { visibleText } from '../../print/visible-text.ts';

/** Colors of a program, such as `diff --color=always`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control sequences.
const color = /(\u001b\[[\d;]*m)/;

/** The output of a program that compares files, in which colors are kept and other control characters are visible. */
export const differenceText = (output: string): string =>
  output
    .split(color)
    .map((part, i) => (i % 2 === 1 ? part : visibleText(part)))
    .join('');
