import {
  evaluateJsonPath,
  exactNumberText,
  type JsonPath,
  JsonPathError,
  jsonText,
  parseJsonPath,
} from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
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

/** Reads a template: paths stand in braces, everything else is text. Throws a UsageError. */
export function parseJsonPathTemplate(text: string): JsonPathTemplate {
  return { parts: partsOf(text) };
}

/** A path as a JSONPath with its leading dot: `metadata.name` is `.metadata.name`. */
export function relaxed(text: string): string {
  const inner = /^\{(.*)\}$/s.exec(text.trim())?.[1] ?? text.trim();
  return /^[.$[@]/.test(inner) ? inner : `.${inner}`;
}

function partsOf(template: string): Part[] {
  const root: Part[] = [];
  const open: Part[][] = [root];
  let at = 0;
  while (at < template.length) {
    const brace = template.indexOf('{', at);
    const end = brace < 0 ? template.length : brace;
    const into = open.at(-1) ?? root;
    if (end > at) into.push({ kind: 'text', text: template.slice(at, end) });
    if (brace < 0) break;
    const close = closingBrace(template, brace);
    const inner = template.slice(brace + 1, close).trim();
    at = close + 1;
    if (inner === 'end') {
      if (open.length === 1) throw new UsageError('error parsing jsonpath: {end} without {range}');
      open.pop();
    } else if (/^range\b/.test(inner)) {
      const source = inner.slice('range'.length).trim();
      const body: Part[] = [];
      into.push({ kind: 'range', path: pathOf(source), source, body });
      open.push(body);
    } else into.push(...actionParts(inner));
  }
  if (open.length > 1) throw new UsageError('error parsing jsonpath: {range} without {end}');
  return root;
}

/** The content of braces: a quoted text, or paths separated by blanks. */
function actionParts(inner: string): Part[] {
  const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')$/s.exec(inner);
  if (quoted !== null) return [{ kind: 'text', text: unescaped(quoted[1] ?? quoted[2] ?? '') }];
  return [{ kind: 'path', path: pathOf(inner), source: inner }];
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const unescaped = (text: string): string =>
  text.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);

/** Position of the brace that closes the one at `open`. Braces in quotes do not count. */
function closingBrace(template: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < template.length; at++) {
    const char = template[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '}') return at;
  }
  throw new UsageError('error parsing jsonpath: unclosed action');
}

function pathOf(text: string): JsonPath {
  try {
    return parseJsonPath(text);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new UsageError(`error parsing jsonpath ${text}: ${error.message}`);
  }
}

/** The text of a template for a value. Missing fields are empty. Throws a CommandError where a path does not fit the value. */
export function templateText({ parts }: JsonPathTemplate, value: unknown): string {
  return parts.map((part) => partText(part, value)).join('');
}

function partText(part: Part, value: unknown): string {
  if (part.kind === 'text') return part.text;
  const values = valuesAt(part.path, value, part);
  if (part.kind === 'path') return values.map(valueText).join(' ');
  return values.map((one) => part.body.map((inner) => partText(inner, one)).join('')).join('');
}

/** All values of the paths of a template, as JSON. */
export const templateValues = ({ parts }: JsonPathTemplate, value: unknown): readonly unknown[] =>
  parts.flatMap((part) => (part.kind === 'text' ? [] : valuesAt(part.path, value, part)));

/** `allowsMissingItems`: as `evaluateJsonPath` has it, for columns, where an object that lacks an item has an empty cell. */
export function valuesAt(
  path: JsonPath,
  value: unknown,
  { source, allowsMissingItems = false }: { readonly source: string; readonly allowsMissingItems?: boolean },
): readonly unknown[] {
  const values = evaluateJsonPath(path, value, { maxVisits: MAX_VISITS, allowsMissingItems });
  if (values === undefined)
    throw new CommandError(
      `error executing jsonpath ${JSON.stringify(source)}: it does not fit the value, for example an index is out of bounds or a filter is applied to what is not a list`,
    );
  return values;
}

/** Texts as they are, everything else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (exactNumberText(value) ?? jsonText(sortedFields(value)));
