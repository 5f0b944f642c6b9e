import { visibleText } from '@orch/machinery/formats';
import { type Color, colored } from '../../print/style.ts';

/** Colors of a program, such as `diff --color=always`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control sequences.
const color = /(\u001b\[[\d;]*m)/;

/** The output of a program that compares files, in which colors are kept and other control characters are visible. */
export const differenceText = (output: string): string =>
  output
    .split(color)
    .map((part, i) => (i % 2 === 1 ? part : visibleText(part)))
    .join('');

/** The output of `diff -u` with the colors of `diff --color`. */
export function coloredDifference(output: string): string {
  // A removed line that begins with `--` looks as the title of a file does.
  let isTitle = true;
  return output
    .split('\n')
    .map((line) => {
      if (/^(?:diff|Only in) /.test(line)) isTitle = true;
      if (line.startsWith('@@ ')) isTitle = false;
      const chosen = isTitle ? 'bold' : colorOf(line);
      return chosen === undefined || line === '' ? visibleText(line) : colored(visibleText(line), chosen);
    })
    .join('\n');
}

function colorOf(line: string): Color | undefined {
  if (line.startsWith('@@ ')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  return line.startsWith('-') ? 'red' : undefined;
}
