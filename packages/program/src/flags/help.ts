import type { Flag, FlagTable } from './define.ts';

/** Columns of the narrowest usual terminal. */
const WIDTH = 80;
const INDENT = 8;

/** The text of `--help`: usage, then the flags by section in the order of their declaration. */
export const helpText = (usage: string, about: string, table: FlagTable): string =>
  `${[...wrapped(`Usage: ${usage}`, 0), '', ...wrapped(about, 0), ...flagSections(table)].join('\n')}\n`;

/** The lines of flags by section, each section after an empty line. */
export function flagSections(table: FlagTable): readonly string[] {
  const sections = new Map<string, Flag<unknown>[]>();
  for (const flag of Object.values(table)) {
    const section = sections.get(flag.section);
    if (section === undefined) sections.set(flag.section, [flag]);
    else section.push(flag);
  }
  const parts: string[] = [];
  for (const [section, flags] of sections) {
    parts.push('', `${section}:`);
    for (const flag of flags) parts.push(...flagLines(flag));
  }
  return parts;
}

function flagLines(flag: Flag<unknown>): readonly string[] {
  const short = flag.name.length === 1 ? flag.name : flag.short;
  const dashes = short === undefined ? '  --' : `  -${short}, --`;
  const type = flag.type === '' ? '' : ` ${flag.type}`;
  const initial = flag.defaultText === '' ? '' : ` (default ${flag.defaultText})`;
  const options = flag.options?.().map((option) => ' '.repeat(INDENT) + option) ?? [];
  return [`${dashes}${flag.name}${type}`, ...wrapped(`${flag.help}${initial}`, INDENT), ...options];
}

/** The lines of a paragraph, indented and wrapped at `width` columns unless a word is longer. */
export function wrapped(text: string, by: number, width = WIDTH): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && by + line.length + 1 + word.length > width) {
      lines.push(' '.repeat(by) + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(' '.repeat(by) + line);
  return lines;
}
