import { wrapped } from '@orch/program/flags';

const HANGING = 2;

/** A string whose lines fit the columns of a terminal: longer ones continue at words, indented further than they begin. */
export const fittedText = (text: string, columns: number): string =>
  text
    .split('\n')
    .flatMap((line) => fittedLine(line, columns))
    .join('\n');

function fittedLine(line: string, columns: number): readonly string[] {
  const content = line.trimStart();
  if (line.length <= columns || content === '') return [line];
  const indent = line.length - content.length;
  const [first = '', ...rest] = wrapped(content, indent + HANGING, columns);
  return [first.slice(HANGING), ...rest];
}
