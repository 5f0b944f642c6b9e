import { approximateNumber, exactNumberText, jsonText } from '@orch/machinery/json';
import {
  evaluateJsonPath,
  type JsonPath,
  JsonPathError,
  parseJsonPathAction,
} from '@orch/machinery/json-path';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import { generalText } from '../go-template/index.ts';
import { sortedFields } from './sorted-fields.ts';

/** A part of a template. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'path'; readonly path: JsonPath; readonly source: string }
  | { readonly kind: 'range'; readonly path: JsonPath; readonly source: string; readonly body: Part[] };

/** A string with paths in braces: `{range .items[*]}{.metadata.name}{"\n"}{end}`. */
export interface JsonPathTemplate {
  readonly parts: readonly Part[];
}

/** Lists of large clusters are visited completely. */
const MAX_VISITS = 100_000_000;

/** Ranges within each other. */
const MAX_DEPTH = 100;

/** A path as a JSONPath with its leading dot: `metadata.name` is `.metadata.name`. */
export function relaxed(text: string): string {
  const inner = /^\{(.*)\}$/s.exec(text.trim())?.[1] ?? text.trim();
  return /^[.$[@]/.test(inner) ? inner : `.${inner}`;
}

/** Parses a template: paths are in braces, everything else is text. Throws a UsageError. */
export function parseJsonPathTemplate(template: string): JsonPathTemplate {
  const root: Part[] = [];
  const open: Part[][] = [root];
  let at = 0;
  while (at < template.length) {
    const brace = template.indexOf('{', at);
    const into = open.at(-1) ?? root;
    const text = template.slice(at, brace < 0 ? undefined : brace);
    if (text !== '') into.push({ kind: 'text', text });
    if (brace < 0) break;
    const { keyword, path, end } = actionAt(template, brace + 1);
    const source = template.slice(brace + 1, end - 1).trim();
    at = end;
    if (keyword === undefined) into.push({ kind: 'path', path, source });
    else if (keyword === 'range') {
      const body: Part[] = [];
      into.push({ kind: 'range', path, source, body });
      if (open.push(body) > MAX_DEPTH)
        throw new UsageError('error parsing jsonpath: ranges nested too deeply');
    } else if (open.length === 1) throw new UsageError('error parsing jsonpath: {end} without {range}');
    else open.pop();
  }
  if (open.length > 1) throw new UsageError('error parsing jsonpath: {range} without {end}');
  return { parts: root };
}

function actionAt(template: string, start: number) {
  try {
    return parseJsonPathAction(template, start);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new UsageError(`error parsing jsonpath ${template}: ${error.message}`);
  }
}

/** How a template is evaluated. */
export interface TemplateOptions {
  /** A field that the value lacks is an error, instead of nothing. */
  readonly requiresFields?: boolean;
}

/** The text of a template for a value. Throws a CommandError where a path does not fit the value. */
export const templateText = (
  { parts }: JsonPathTemplate,
  value: unknown,
  options: TemplateOptions = {},
): string =>
  parts
    .flatMap((part) => resultsOf(part, value, options))
    .map((results) => results.map(valueText).join(' '))
    .join('');

/** The results of each part as a JSON list. */
export const templateJson = (
  { parts }: JsonPathTemplate,
  value: unknown,
  options: TemplateOptions = {},
): string =>
  parts
    .flatMap((part) => resultsOf(part, value, options))
    .map((results) => `${forMarkup(jsonText(results.map(sortedFields), 4))}\n`)
    .join('');

/** All values of the paths of a template. */
export const templateValues = ({ parts }: JsonPathTemplate, value: unknown): readonly unknown[] =>
  parts.flatMap((part) => (part.kind === 'text' ? [] : resultsOf(part, value, {}).flat()));

/** The results of a part; those of the parts of a range, for each of its values. */
function resultsOf(part: Part, value: unknown, options: TemplateOptions): readonly (readonly unknown[])[] {
  if (part.kind === 'text') return [[part.text]];
  const values = valuesAt(part.path, value, { ...options, source: part.source });
  if (part.kind === 'path') return [values];
  const within = (one: unknown) => part.body.flatMap((inner) => resultsOf(inner, one, options));
  // The fields of a range without values are missing, too.
  if (values.length === 0 && options.requiresFields === true) within(undefined);
  return values.flatMap(within);
}

interface ValueOptions extends TemplateOptions {
  readonly source: string;
  /** As `evaluateJsonPath` has it, for columns, where an object that lacks an item has an empty cell. */
  readonly allowsMissingItems?: boolean;
}

/** The values of a path. Throws a CommandError where it does not fit the value. */
export function valuesAt(
  path: JsonPath,
  value: unknown,
  { source, allowsMissingItems = false, requiresFields = false }: ValueOptions,
): readonly unknown[] {
  const limits = { maxVisits: MAX_VISITS, allowsMissingItems, requiresFields };
  const values = evaluated(path, value, { ...limits, source });
  if (values === undefined)
    throw new CommandError(
      `error executing jsonpath ${JSON.stringify(source)}: it does not fit the value, for example an index is out of bounds or a filter is applied to what is not a list`,
    );
  return values;
}

function evaluated(
  path: JsonPath,
  value: unknown,
  { source, ...limits }: Parameters<typeof evaluateJsonPath>[2] & { readonly source: string },
): readonly unknown[] | undefined {
  try {
    return evaluateJsonPath(path, value, limits);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new CommandError(`error executing jsonpath ${JSON.stringify(source)}: ${error.message}`);
  }
}

/** Texts as they are, numbers as Go prints them, everything else as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return numberText(value) ?? forMarkup(jsonText(sortedFields(value)));
}

function numberText(value: unknown): string | undefined {
  const text = exactNumberText(value);
  if (text === undefined || /^-?\d+$/.test(text)) return text;
  return generalText(approximateNumber(value) ?? Number(text));
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON that is safe in a web page: without the characters of markup. */
const forMarkup = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (char) => escapes[char] ?? char);
