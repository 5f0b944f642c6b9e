import { exactNumberText } from '@orch/machinery/json';

/**
 * The text of a value as KYAML: flow collections over several lines and quoted text, which every reader of YAML reads as
 * the same value whatever its indentation. The text begins with `---`, so that several of them are several documents.
 */
export const encodeKyaml = (value: unknown): string => `---\n${valueText(value, '')}\n`;

function valueText(value: unknown, indent: string): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return quotedText(value, `${indent}  `);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return listText(value, indent);
  return exactNumberText(value) ?? objectText(value, indent);
}

function objectText(value: object, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${inner}${keyText(name)}: ${valueText(field, inner)},\n`);
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

/** Collections stand side by side, `[{` to `}, {` to `}]`; a list with another item has one item in a line. */
function listText(items: readonly unknown[], indent: string): string {
  if (items.every(isCollection)) return `[${items.map((item) => valueText(item, indent)).join(', ')}]`;
  const inner = `${indent}  `;
  return `[\n${items.map((item) => `${inner}${valueText(item, inner)},\n`).join('')}${indent}]`;
}

/** Numbers with more digits than a double has are objects, too. */
const isCollection = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || exactNumberText(value) === undefined);

const plainKey = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?$/u;

/** Words that readers of some version of YAML read as another value than text. */
const word = /^(?:true|false|yes|no|on|off|[yntf]|null|nan|inf|infinity)$/i;

/** Text that such readers read as a number or a date, without underscores, which they skip in numbers. */
const number = /^(?:\d+(?:\.\d*)?(?:e-?\d+)?|0x[\da-f.]+(?:p-?\d+)?|0o[0-7]+|0b[01]+|\d{4}-\d\d?-\d\d?)$/i;

const keyText = (name: string): string =>
  plainKey.test(name) && !word.test(name) && !number.test(name.replaceAll('_', ''))
    ? name
    : `"${escaped(name)}"`;

/** Text in double quotes. Each line of a longer text stands on its own line, between escaped line breaks. */
function quotedText(text: string, indent: string): string {
  if (!text.includes('\n')) return `"${escaped(text)}"`;
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const written = lines.map((line) => `${indent}${lineText(line)}\\n\\\n`).join('');
  return `"\\\n${written}${last === '' ? '' : `${indent}${lineText(last)}\\\n`}${indent}"`;
}

/** Readers drop blanks at the beginning of a line up to the first character or escape. */
const lineText = (line: string): string => (/^[ \t]/.test(line) ? `\\${escaped(line)}` : ` ${escaped(line)}`);

/** Text within double quotes: invisible characters are escaped, except blanks and tabs. */
const escaped = (text: string): string =>
  text.replaceAll(/["\\]|[\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ' || character === '\t') return character;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (character === '\n') return '\\n';
    if (character === '\r') return '\\r';
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
