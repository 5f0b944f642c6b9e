import { visibleText } from '@orch/machinery/formats';
import { type JsonObject, jsonText } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { choiceFlag } from '@orch/program/flags';
import type { Io } from '../../io.ts';
import { fittedText } from '../../print/fitted-text.ts';

/** `--output` of explanations. */
export const answerOutput = {
  output: choiceFlag(
    { name: 'output', short: 'o', help: 'The format of the output: text, json, yaml.', section: 'Flags' },
    ['text', 'json', 'yaml'],
    'text',
  ),
} as const;

/** Prints an answer of the server as received, or as text. */
export function printAnswer(
  io: Io,
  {
    output,
    answer,
    text,
  }: { readonly output: 'text' | 'json' | 'yaml'; readonly answer: JsonObject; readonly text: () => string },
): void {
  if (output === 'text') {
    const shown = visibleText(text());
    const { columns } = io.out;
    io.out.write(columns === undefined ? shown : fittedText(shown, columns));
  } else io.out.write(output === 'json' ? `${jsonText(answer, 2)}\n` : encodeYaml(answer));
}
