import type { CommentedValue } from './commented-values.ts';

const begin = '<!-- The tables below are generated from values.yaml. -->';
const end = '<!-- The tables above are generated from values.yaml. -->';

/** The page with new tables between its two marks. Throws when a mark is missing. */
export function withTables(page: string, values: readonly CommentedValue[]): string {
  const [before, , after] = page.split(new RegExp(`(${begin}[^]*${end})`));
  if (before === undefined || after === undefined)
    throw new Error(`the page has no lines ${begin} and ${end}`);
  return `${before}${begin}\n\n${tables(values)}\n${end}${after}`;
}

function tables(values: readonly CommentedValue[]): string {
  const sections = [...new Set(values.map(({ section }) => section))];
  return sections
    .map((section) => {
      const rows = values.filter((value) => value.section === section).flatMap(rowOf);
      return `### ${section}\n\n| value | description | default |\n| --- | --- | --- |\n${rows.join('')}`;
    })
    .join('\n');
}

function rowOf({ path, description, defaultValue, isGroup }: CommentedValue): readonly string[] {
  if (isGroup && description === '') return [];
  const cells = [`\`${path.join('.')}\``, description, isGroup ? '' : `\`${JSON.stringify(defaultValue)}\``];
  return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`];
}
