import type { JsonObject } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { SchemaReader } from '../../schemas/schema-reader.ts';

/** The subject of an explanation: a kind, or a field of it. */
export interface Explained {
  readonly schema: JsonObject;
  readonly fields: readonly string[];
  /** The levels of fields to list by name; without it, one level is described. */
  readonly depth: number | undefined;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The description of a kind or field, as kubectl prints it. Throws a CommandError for an unknown field. */
export function explanation(
  reader: SchemaReader,
  { group, version, kind }: Kind,
  { schema, fields, depth }: Explained,
): string {
  let text = group === '' ? '' : `GROUP:      ${group}\n`;
  text += `KIND:       ${kind}\nVERSION:    ${version}\n\n`;
  let at = schema;
  for (const field of fields) {
    const found = reader.properties(at).find(([name]) => name === field);
    if (found === undefined) throw new CommandError(`field ${JSON.stringify(field)} does not exist`);
    [, at] = found;
  }
  const name = fields.at(-1);
  if (name !== undefined) text += fieldText(reader, at, name);
  const descriptions = reader.descriptions(at);
  text += `DESCRIPTION:\n${descriptionText(descriptions, 4)}${descriptions.length === 0 ? '' : '    \n'}`;
  const properties = reader.properties(at);
  if (properties.length === 0) return `${text}\n`;
  text += 'FIELDS:\n';
  text +=
    depth === undefined ? listText(reader, at) : recursiveText(reader, at, { indent: 2, above: [], depth });
  return `${text}\n`;
}

function fieldText(reader: SchemaReader, schema: JsonObject, name: string): string {
  const values = reader.enumTexts(schema);
  const line = `FIELD: ${name} <${reader.typeText(schema)}>\n`;
  return values.length === 0
    ? `${line}\n\n`
    : `${line}ENUM:\n${values.map((value) => `    ${value}\n`).join('')}\n`;
}

/** The number of characters of a line besides its indent. */
const WIDTH = 76;

const descriptionText = (descriptions: readonly string[], indent: number): string =>
  (descriptions.length === 0 ? ['<empty>'] : descriptions)
    .flatMap((text) => text.split('\n').flatMap((line) => lines(line)))
    .map((line) => `${' '.repeat(indent)}${line}\n`)
    .join('');

function lines(text: string): readonly string[] {
  const all: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      all.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...all, line];
}

function listText(reader: SchemaReader, schema: JsonObject): string {
  return reader
    .properties(schema)
    .map(([name, field]) => {
      const own = typeof field['description'] === 'string' ? [field['description']] : [];
      const heading = headingText(reader, schema, { name, field, indent: 2 });
      return `${heading}${descriptionText(own.length > 0 ? own : ['<no description>'], 4)}\n`;
    })
    .join('');
}

interface Level {
  readonly indent: number;
  /** The levels from this one on. */
  readonly depth: number;
  /** The schemas above, whose fields are not repeated. */
  readonly above: readonly JsonObject[];
}

function recursiveText(reader: SchemaReader, schema: JsonObject, { indent, above, depth }: Level): string {
  const content = reader.content(schema);
  if (depth <= 0 || above.includes(content)) return '';
  return reader
    .properties(schema)
    .map(
      ([name, field]) =>
        headingText(reader, schema, { name, field, indent }) +
        recursiveText(reader, field, { indent: indent + 2, above: [...above, content], depth: depth - 1 }),
    )
    .join('');
}

/** Values of an enumeration that a list of fields shows. */
const SHOWN_VALUES = 4;

function headingText(
  reader: SchemaReader,
  schema: JsonObject,
  { name, field, indent }: { readonly name: string; readonly field: JsonObject; readonly indent: number },
): string {
  const mark = reader.isRequired(schema, name) ? ' -required-' : '';
  const line = `${' '.repeat(indent)}${name}\t<${reader.typeText(field)}>${mark}\n`;
  const values = reader.enumTexts(field);
  if (values.length === 0) return line;
  const shown = values.slice(0, SHOWN_VALUES).join(', ');
  return `${line}${' '.repeat(indent)}enum: ${shown}${values.length > SHOWN_VALUES ? ', ....' : ''}\n`;
}
