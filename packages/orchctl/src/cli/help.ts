import { type FlagTable, flagSections, wrapped } from '@orch/program/flags';
import { globalFlags } from '../global-flags.ts';
import type { Command, CommandEntry } from './command.ts';

/** Help of a command: its description, examples, flags and subcommands. */
export function commandHelp(entry: CommandEntry, definition: Command | undefined): string {
  const parts: string[] = [];
  if (definition === undefined) parts.push(entry.summary);
  else {
    parts.push(...wrapped(`Usage: orchctl ${definition.usage}`, 0));
    for (const paragraph of definition.about.split('\n\n')) parts.push('', ...wrapped(paragraph, 0));
    if (definition.examples.length > 0) parts.push('', 'Examples:');
    for (const { comment, line } of definition.examples) parts.push(`  # ${comment}`, `  ${line}`);
  }
  if (entry.commands !== undefined) parts.push('', ...commandList('Commands', entry.commands));
  if (definition !== undefined) parts.push(...flagSections(withoutGlobals(definition.flags)));
  parts.push('', 'Run "orchctl options" for the flags of all commands.');
  return `${parts.join('\n')}\n`;
}

const withoutGlobals = (flags: FlagTable): FlagTable =>
  Object.fromEntries(Object.entries(flags).filter(([key]) => !(key in globalFlags)));

/** Help of the program: its commands by section. */
export function programHelp(entries: readonly CommandEntry[]): string {
  const sections = Map.groupBy(entries, ({ section = 'Other commands' }) => section);
  const parts = ['orchctl is the command-line client of the API server, under both namings.'];
  for (const [section, listed] of sections) parts.push('', ...commandList(section, listed));
  parts.push(
    '',
    ...wrapped(
      'Run "orchctl COMMAND --help" for the help of a command, and "orchctl options" for the flags of all commands.',
      0,
    ),
  );
  return `${parts.join('\n')}\n`;
}

export const globalHelp = (): string => `${flagSections(globalFlags).slice(1).join('\n')}\n`;

function commandList(title: string, entries: readonly CommandEntry[]): readonly string[] {
  const width = Math.max(...entries.map(({ name }) => name.length)) + 2;
  return [
    `${title}:`,
    ...entries.flatMap(({ name, summary }) => {
      const [first = '', ...rest] = wrapped(summary, width + 2);
      return [`  ${name.padEnd(width)}${first.trimStart()}`, ...rest];
    }),
  ];
}
