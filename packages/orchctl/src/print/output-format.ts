import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { textFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import { type GoTemplate, parseGoTemplate, TemplateError } from '../go-template/index.ts';
import type { Io } from '../io.ts';
import { type CustomColumn, parseCustomColumns, readColumnFile } from './custom-columns.ts';
import { type JsonPathTemplate, parseJsonPathTemplate } from './json-path-template.ts';

/** The value of `--output`. */
export type OutputFormat =
  | { readonly kind: 'table'; readonly isWide: boolean }
  | { readonly kind: 'json' | 'yaml' | 'name' }
  | { readonly kind: 'jsonpath'; readonly template: JsonPathTemplate; readonly asJson: boolean }
  | { readonly kind: 'go-template'; readonly template: GoTemplate; readonly source: string }
  | { readonly kind: 'columns'; readonly columns: readonly CustomColumn[] };

const plainFormats = ['json', 'yaml', 'name', 'wide'] as const;
const otherFormats = [
  'custom-columns',
  'custom-columns-file',
  'go-template',
  'go-template-file',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
] as const;

export const outputFlag = (section: string) =>
  textFlag({
    name: 'output',
    short: 'o',
    help: `The format of the output: ${[...plainFormats, ...otherFormats].join(', ')}. Formats of the second kind are followed by = and their text or file.`,
    section,
  });

/** The value of `--output` with that of `--template`. */
export function withTemplate({
  output,
  template,
}: {
  readonly output: string;
  readonly template: string;
}): string {
  if (template === '' || output.includes('=')) return output;
  return `${output === '' ? 'go-template' : output}=${template}`;
}

/** Reads the value of `--output`; empty is a table. Throws a UsageError. */
export function parseOutputFormat(text: string, io: Pick<Io, 'folder'>): OutputFormat {
  if (text === '') return { kind: 'table', isWide: false };
  const plain = plainFormats.find((one) => one === text.toLowerCase());
  if (plain === 'wide') return { kind: 'table', isWide: true };
  if (plain !== undefined) return { kind: plain };
  const at = text.indexOf('=');
  const [name, argument] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  switch (name) {
    case 'jsonpath':
    case 'jsonpath-as-json':
      return {
        kind: 'jsonpath',
        template: parseJsonPathTemplate(needed(name, argument)),
        asJson: name !== 'jsonpath',
      };
    case 'jsonpath-file':
      return {
        kind: 'jsonpath',
        template: parseJsonPathTemplate(fileText(needed(name, argument), io)),
        asJson: false,
      };
    case 'custom-columns':
      return { kind: 'columns', columns: parseCustomColumns(needed(name, argument)) };
    case 'custom-columns-file':
      return { kind: 'columns', columns: readColumnFile(fileText(needed(name, argument), io)) };
    case 'go-template':
    case 'template':
      return goTemplate(needed(name, argument));
    case 'go-template-file':
    case 'templatefile':
      return goTemplate(fileText(needed(name, argument), io));
    default:
      throw new UsageError(
        `unable to match a printer suitable for the output format ${JSON.stringify(text)}, allowed formats are: ${[...plainFormats, ...otherFormats].toSorted().join(',')}`,
      );
  }
}

function goTemplate(source: string): OutputFormat {
  try {
    return { kind: 'go-template', template: parseGoTemplate(source), source };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new CommandError(`error parsing template ${source}, ${error.message}`, { cause: error });
  }
}

function needed(name: string, argument: string): string {
  if (argument === '')
    throw new UsageError(`template format specified but no template given: --output ${name}=…`);
  return argument;
}

function fileText(path: string, { folder }: Pick<Io, 'folder'>): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
  }
}
