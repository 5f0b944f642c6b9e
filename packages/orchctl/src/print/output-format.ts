import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { switchFlag, textFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import { type GoTemplate, parseGoTemplate, TemplateError } from '../go-template/index.ts';
import type { Io } from '../io.ts';
import { type CustomColumn, parseCustomColumns, readColumnFile } from './custom-columns.ts';
import { type JsonPathTemplate, parseJsonPathTemplate } from './json-path-template.ts';

/** The value of `--output`. */
export type OutputFormat =
  | { readonly kind: 'table'; readonly isWide: boolean }
  | { readonly kind: 'json' | 'yaml' | 'kyaml' | 'name' }
  | ({
      readonly kind: 'jsonpath';
      readonly template: JsonPathTemplate;
      readonly asJson: boolean;
    } & Strictness)
  | ({ readonly kind: 'go-template'; readonly template: GoTemplate; readonly source: string } & Strictness)
  | { readonly kind: 'columns'; readonly columns: readonly CustomColumn[] };

/** The treatment of a field that the value lacks. */
interface Strictness {
  readonly requiresFields: boolean;
}

const plainFormats = ['json', 'yaml', 'kyaml', 'name', 'wide'] as const;
const otherFormats = [
  'custom-columns',
  'custom-columns-file',
  'go-template',
  'go-template-file',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
] as const;

/** The flags of commands that print objects. */
export const outputFlags = (section: string) => ({
  output: textFlag({
    name: 'output',
    short: 'o',
    help: `The format of the output: ${[...plainFormats, ...otherFormats].join(', ')}. Formats of the second kind are followed by = and their text or file.`,
    section,
  }),
  allowMissingTemplateKeys: switchFlag(
    {
      name: 'allow-missing-template-keys',
      help: 'In go-template and jsonpath, a field that is missing prints nothing or <no value>; otherwise it is an error.',
      section,
    },
    true,
  ),
});

export interface OutputValues {
  readonly output: string;
  readonly allowMissingTemplateKeys?: boolean;
}

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
export function parseOutputFormat(
  { output: text, allowMissingTemplateKeys = true }: OutputValues,
  io: Pick<Io, 'folder'>,
): OutputFormat {
  if (text === '') return { kind: 'table', isWide: false };
  const plain = plainFormats.find((one) => one === text.toLowerCase());
  if (plain === 'wide') return { kind: 'table', isWide: true };
  if (plain !== undefined) return { kind: plain };
  const at = text.indexOf('=');
  const [name, argument] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const requiresFields = !allowMissingTemplateKeys;
  switch (name) {
    case 'jsonpath':
    case 'jsonpath-as-json': {
      const template = parseJsonPathTemplate(needed(name, argument));
      return { kind: 'jsonpath', template, asJson: name !== 'jsonpath', requiresFields };
    }
    case 'jsonpath-file': {
      const template = parseJsonPathTemplate(fileText(needed(name, argument), io));
      return { kind: 'jsonpath', template, asJson: false, requiresFields };
    }
    case 'custom-columns':
      return { kind: 'columns', columns: parseCustomColumns(needed(name, argument)) };
    case 'custom-columns-file':
      return { kind: 'columns', columns: readColumnFile(fileText(needed(name, argument), io)) };
    case 'go-template':
    case 'template':
      return { ...goTemplate(needed(name, argument)), requiresFields };
    case 'go-template-file':
    case 'templatefile':
      return { ...goTemplate(fileText(needed(name, argument), io)), requiresFields };
    default:
      throw new UsageError(
        `unable to match a printer suitable for the output format ${JSON.stringify(text)}, allowed formats are: ${[...plainFormats, ...otherFormats].toSorted().join(',')}`,
      );
  }
}

function goTemplate(source: string) {
  try {
    return { kind: 'go-template' as const, template: parseGoTemplate(source), source };
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
