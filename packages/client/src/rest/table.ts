import type { ApiObject } from '@orch/machinery';
import { asList, asNumber, asObject, asObjects, asText, isJsonObject } from '@orch/machinery/json';

/** A column of a table (spec 2.6). */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** Columns above 0 are for wide output. */
  readonly priority: number;
}

/** A row of a table: an object as people see it. */
export interface TableRow {
  readonly cells: readonly unknown[];
  /** The requested part of the row: the object, or its metadata. Undefined when none was requested. */
  readonly object: ApiObject | undefined;
}

/** Objects as the rows of a table. */
export interface Table {
  /** Absent in events of a watch after the first one. */
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly resourceVersion: string;
  readonly continue: string;
}

/** The part of an object that a row carries besides its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const nameAndAge: readonly TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Age', type: 'date', format: 'date-time', priority: 0 },
];

/**
 * The table in a response. Servers that cannot make tables send objects or lists instead: these become rows of name and
 * creation time.
 */
export function tableIn(body: unknown): Table {
  const document = asObject(body);
  const metadata = asObject(document['metadata']);
  const meta = {
    resourceVersion: asText(metadata['resourceVersion']),
    continue: asText(metadata['continue']),
  };
  if (document['kind'] === 'Table')
    return {
      ...meta,
      columns: asObjects(document['columnDefinitions']).map((column) => ({
        name: asText(column['name']),
        type: asText(column['type']),
        format: asText(column['format']),
        priority: asNumber(column['priority']),
      })),
      rows: asObjects(document['rows']).map((row) => ({
        cells: asList(row['cells']),
        object: isObject(row['object']) ? row['object'] : undefined,
      })),
    };
  const items = Array.isArray(document['items']) ? document['items'] : [document];
  return { ...meta, columns: nameAndAge, rows: items.filter(isObject).map(rowOf) };
}

const isObject = (value: unknown): value is ApiObject =>
  isJsonObject(value) && isJsonObject(value['metadata']);

const rowOf = (object: ApiObject): TableRow => ({
  cells: [object.metadata.name ?? '', object.metadata.creationTimestamp ?? '<unknown>'],
  object,
});
