import type { CommentedValue } from './commented-values.ts';

const begin = '<!-- The lists below are generated from values.yaml. -->';
const end = '<!-- The lists above are generated from values.yaml. -->';

/** The page with new lists between its two marks. Throws when a mark is missing. */
export function withLists(page: string, values: readonly CommentedValue[]): string {
  const [before, , after] = page.split(new RegExp(`(${begin}[^]*${end})`));
  if (before === undefined || after === undefined)
    throw new Error(`the page has no lines ${begin} and ${end}`);
  return `${before}${begin}\n\n${lists(values)}\n${end}${after}`;
}

function lists(values: readonly CommentedValue[]): string {
  const sections = [...new Set(values.map(({ section }) => section))];
  return sections
    .map((section) => {
      const items = values.filter((value) => value.section === section).flatMap(itemOf);
      return `### ${section}\n\n${items.join('')}`;
    })
    .join('\n');
}

function itemOf({ path, description, defaultValue, isGroup }: CommentedValue): readonly string[] {
  if (isGroup && description === '') return [];
  const name = `\`${path.join('.')}\``;
  return [
    isGroup
      ? `- ${name}: ${description}\n`
      : `- ${name} (default: \`${JSON.stringify(defaultValue)}\`): ${description}\n`,
  ];
}
