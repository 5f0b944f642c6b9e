import type { Declared } from './declaration-file.ts';
import type { ExportedSymbol } from './exports.ts';

/** The parts of a page, in their order, with the declarations that belong there. */
const parts: readonly (readonly [title: string, declaration: RegExp])[] = [
  ['Functions', /^export (?:declare )?(?:function|const \w+: (?:<[^>]*>)?\()/],
  ['Classes', /^export (?:declare )?(?:abstract )?class/],
  ['Values', /^export (?:declare )?(?:const|let)/],
  ['Interfaces', /^export (?:declare )?interface/],
  ['Types', /^export (?:declare )?type/],
];

const partOf = ({ declarations }: ExportedSymbol): string =>
  parts.find(([, declaration]) => declarations.some(({ text }) => declaration.test(text)))?.[0] ?? 'Types';

/** The page of the reference about one subpath of a package: each exported name with its documentation and its declaration. */
export function referencePage(name: string, symbols: readonly ExportedSymbol[]): string {
  const grouped = Map.groupBy(symbols, partOf);
  const sections = parts.flatMap(([title]) => {
    const own = grouped.get(title) ?? [];
    return own.length === 0 ? [] : [`## ${title}\n\n${own.map(symbolText).join('\n')}`];
  });
  return `# ${name}\n\n${sections.join('\n')}`;
}

function symbolText({ declarations, name }: ExportedSymbol): string {
  const docs = [...new Set(declarations.map(({ doc }) => doc).filter((doc) => doc !== ''))];
  const code = declarations.map(declarationText).join('\n');
  return `### ${name}\n\n${docs.map((doc) => `${doc}\n\n`).join('')}\`\`\`ts\n${code}\n\`\`\`\n`;
}

/** The declaration as a caller sees it, without private parts. */
const declarationText = ({ text }: Declared): string =>
  text
    .replace(/^export (?:declare )?/, '')
    .replace(/\bimport\("[^"]*"\)\./g, '')
    .split('\n')
    .filter((line) => !/^ {4}(?:#|private )/.test(line))
    .join('\n');
