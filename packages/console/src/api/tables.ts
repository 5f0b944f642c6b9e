import {
  collectionPath,
  type DiscoveredResource,
  type FollowSource,
  type Table,
  type TableEvent,
} from '@orch/client';
import { ApiError, type ApiObject, type Names } from '@orch/machinery';
import {
  asList,
  asNumber,
  asObject,
  asObjects,
  asText,
  isJsonObject,
  type JsonObject,
} from '@orch/machinery/json';
import type { Connection } from './connection.ts';
import { readStatus } from './status.ts';

/** The objects of a list that a view shows. */
export interface Selection {
  readonly resource: DiscoveredResource;
  /** All namespaces when empty. */
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
}

/** Rows of a page: a compromise between the cost of requests and the time until the first rows are shown. */
const PAGE_ROWS = 500;

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** The tables of a selection, in pages and as a watch. `onOpen` is called whenever the server has accepted a watch. */
export function tableSource(
  connection: Connection,
  { names, selection }: { readonly names: Names; readonly selection: Selection },
  onOpen: () => void,
): FollowSource<Table, TableEvent> {
  const accept = tableTypes(names);
  const target = (query: Readonly<Record<string, string>>): string => targetOf(selection, query);
  return {
    async *pages(signal) {
      for (let next = ''; ; ) {
        const query = { limit: String(PAGE_ROWS), continue: next };
        const page = tableIn(await connection.json({ target: target(query), accept }, signal));
        yield page;
        next = page.continue;
        if (next === '') return;
      }
    },
    async *watch({ resourceVersion = '', timeoutSeconds = 300 }, signal) {
      const query = {
        ...{ watch: 'true', allowWatchBookmarks: 'true', resourceVersion },
        timeoutSeconds: String(timeoutSeconds),
      };
      const values = connection.values({ target: target(query), accept }, signal, onOpen);
      for await (const value of values) yield eventIn(asObject(value));
    },
    pageVersion: ({ resourceVersion }) => resourceVersion,
    eventVersion: ({ table }) => table.rows.at(-1)?.object?.metadata.resourceVersion ?? table.resourceVersion,
  };
}

/** Path and query of the list of a selection. Empty values are omitted. */
export function targetOf(
  { resource, namespace, labels, fields }: Selection,
  query: Readonly<Record<string, string>>,
): string {
  const values = { ...query, labelSelector: labels, fieldSelector: fields };
  const pairs = Object.entries(values).filter(([, value]) => value !== '');
  return `${collectionPath(resource, namespace === '' ? undefined : namespace)}?${new URLSearchParams(pairs)}`;
}

const tableTypes = (names: Names): string =>
  `${['v1', 'v1beta1'].map((version) => `application/json;as=Table;v=${version};g=${names.group('meta')}`)},application/json`;

function eventIn(event: JsonObject): TableEvent {
  const { type } = event;
  if (type === 'ERROR') throw new ApiError(readStatus(asObject(event['object']), 500));
  if (!types.has(type)) throw new TypeError('the watch sent an event of an unknown type');
  return { type: type as TableEvent['type'], table: tableIn(event['object']) };
}

const nameAndAge: Table['columns'] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Age', type: 'date', format: 'date-time', priority: 0 },
];

/** The table in an answer. Lists and objects of servers that make no tables become rows of name and creation time. */
export function tableIn(body: unknown): Table {
  const document = asObject(body);
  const metadata = asObject(document['metadata']);
  const versions = {
    resourceVersion: asText(metadata['resourceVersion']),
    continue: asText(metadata['continue']),
  };
  if (document['kind'] !== 'Table') {
    const items = Array.isArray(document['items']) ? document['items'] : [document];
    return { ...versions, columns: nameAndAge, rows: items.filter(isObject).map(rowOf) };
  }
  return {
    ...versions,
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
}

const isObject = (value: unknown): value is ApiObject =>
  isJsonObject(value) && isJsonObject(value['metadata']);

const rowOf = (object: ApiObject): Table['rows'][number] => ({
  cells: [object.metadata.name ?? '', object.metadata.creationTimestamp ?? ''],
  object,
});
