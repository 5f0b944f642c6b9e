import { isExactNumber, isJsonObject } from '@orch/machinery/json';
import { type JsonPath, JsonPathError, parseJsonPath } from '@orch/machinery/json-path';
import { UsageError } from '@orch/program/flags';
import { columnText } from './columns.ts';
import { relaxed, valuesAt, valueText } from './json-path-template.ts';

/** A column of `--output custom-columns`. */
export interface CustomColumn {
  readonly header: string;
  readonly path: JsonPath;
  readonly source: string;
}

/** Reads `HEADER:path,HEADER:path`. Throws a UsageError. */
export function parseCustomColumns(text: string): readonly CustomColumn[] {
  return splitOutsideBrackets(text).map((part) => {
    const at = part.indexOf(':');
    if (at < 0)
      throw new UsageError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return customColumn(part.slice(0, at), part.slice(at + 1));
  });
}

/** Reads a file with a line of headers and a line of paths. Throws a UsageError. */
export function readColumnFile(text: string): readonly CustomColumn[] {
  const [headers = [], paths = []] = text
    .split('\n')
    .map((line) => line.split(/\s+/).filter((word) => word !== ''));
  if (headers.length === 0 || headers.length !== paths.length)
    throw new UsageError(
      `number of headers (${headers.length}) and field specifications (${paths.length}) don't match in the file of columns`,
    );
  return headers.map((header, i) => customColumn(header, paths[i] ?? ''));
}

function customColumn(header: string, source: string): CustomColumn {
  try {
    return { header, path: parseJsonPath(relaxed(source)), source };
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new UsageError(`the path of column ${header}: ${error.message}`);
  }
}

/** Parts between commas that are not within brackets. */
function splitOutsideBrackets(text: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '(') depth++;
    if (char === ']' || char === ')') depth--;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** The cells of an object; several values are joined by commas, and missing ones are `<none>`. */
export const customCells = (columns: readonly CustomColumn[], object: unknown): readonly string[] =>
  columns.map(({ path, source }) => {
    const values = valuesAt(path, object, { source, allowsMissingItems: true });
    return values.length === 0 ? '<none>' : values.map(goText).join(',');
  });

/** A value as kubectl prints it in a cell: `map[a:1 b:2]`, `[1 2]`, `<nil>`. */
function goText(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value) || isExactNumber(value)) return valueText(value);
  const fields = Object.keys(value).toSorted();
  return `map[${fields.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

export function customColumnText(
  columns: readonly CustomColumn[],
  objects: readonly unknown[],
  hasHeader: boolean,
): string {
  const rows = objects.map((object) => customCells(columns, object));
  return columnText(hasHeader ? [columns.map(({ header }) => header), ...rows] : rows);
}
