import {
  ageCell,
  ageColumn,
  type Cell,
  type Column,
  column,
  nameCell,
  nameColumn,
  type TableDefinition,
} from '@orch/apis';
import type { CustomResourceColumnDefinition } from '@orch/kinds/apiextensions';
import type { ApiObject } from '@orch/machinery';
import { approximateNumber, exactNumberText, isExactNumber, isInt64, jsonText } from '@orch/machinery/json';
import { evaluateJsonPath, type JsonPath, jsonPathProblem, parseJsonPath } from '@orch/machinery/json-path';
import { parseTime } from '@orch/machinery/time';
import { numberText } from '@orch/schema';

interface PathColumn {
  readonly column: Column;
  readonly path: JsonPath;
}

const types = ['string', 'integer', 'number', 'boolean', 'date'] as const;

/** A value as text: strings as they are, objects and lists as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<no value>';
  if (typeof value === 'number' && !Number.isInteger(value)) return numberText(value);
  return exactNumberText(value) ?? jsonText(value);
}

/** The time since an instant; invalid values are shown as invalid. */
function dateCell(value: string): Cell {
  if (value === '' || value === 'null') return { age: undefined };
  return parseTime(value) === undefined ? '<invalid>' : { age: value };
}

/** The whole part of a number; exact where it has 64 bits. */
function integerCell(value: unknown): Cell {
  if (isInt64(value) && isExactNumber(value)) return value;
  const number = approximateNumber(value);
  return number === undefined ? null : Math.trunc(number);
}

/** A value as a cell of a column; null when it does not have the type of the column. */
function cellOf(type: Column['type'], value: unknown): Cell {
  if (type === 'string') return textOf(value);
  switch (type) {
    case 'integer':
      return integerCell(value);
    case 'number':
      return approximateNumber(value) ?? null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value) : null;
  }
}

function pathColumn(declared: CustomResourceColumnDefinition): PathColumn | undefined {
  const { name = '', jsonPath = '', format = '', priority = 0 } = declared;
  const type = types.find((one) => one === declared.type);
  if (type === undefined || jsonPathProblem(jsonPath) !== undefined) return undefined;
  const description =
    declared.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  const options = { type, format, priority };
  return { column: column(name, description, options), path: parseJsonPath(jsonPath) };
}

const cellAt = ({ column: { type }, path }: PathColumn, object: ApiObject): Cell => {
  const found = evaluateJsonPath(path, object);
  return found === undefined || found.length === 0 ? null : cellOf(type, found[0]);
};

/**
 * The table of a custom kind: the name, and the columns of the definition, or the age when it has none. A cell shows
 * the first value at its path; null when there is none or it has another type. Invalid columns are omitted.
 */
export function customTable(
  additionalPrinterColumns: readonly CustomResourceColumnDefinition[],
): TableDefinition {
  const declared = additionalPrinterColumns.map(pathColumn).filter((one) => one !== undefined);
  if (additionalPrinterColumns.length === 0) {
    return {
      columns: [nameColumn, { ...ageColumn, type: 'date' }],
      cells: (object) => [nameCell(object), ageCell(object)],
    };
  }
  return {
    columns: [nameColumn, ...declared.map(({ column }) => column)],
    cells: (object) => [nameCell(object), ...declared.map((one) => cellAt(one, object))],
  };
}
