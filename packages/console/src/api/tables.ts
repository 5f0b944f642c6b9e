import type { DiscoveredResource, FollowSource, Table, TableEvent } from '@orch/client';
import { collectionPath, followTables } from '@orch/client/browser';
import type { Connection } from './connection.ts';

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

/** The tables of a selection, in pages and as a watch. `onOpen` is called whenever the server has accepted a watch. */
export const tableSource = (
  { client }: Connection,
  selection: Selection,
  onOpen: () => void,
): FollowSource<Table, TableEvent> => {
  const { resource, namespace } = selection;
  const tables = client.tables(resource, namespace || undefined);
  return followTables(tables, { ...selectorsOf(selection), limit: PAGE_ROWS, onOpen });
};

/** The selectors of a request for a selection. Empty ones are omitted. */
export const selectorsOf = ({ labels, fields }: Selection) => ({
  ...(labels !== '' && { labelSelector: labels }),
  ...(fields !== '' && { fieldSelector: fields }),
});

/** Path and query of the list of a selection. Empty values are omitted. */
export function targetOf(
  { resource, namespace, labels, fields }: Selection,
  query: Readonly<Record<string, string>>,
): string {
  const values = { ...query, labelSelector: labels, fieldSelector: fields };
  const pairs = Object.entries(values).filter(([, value]) => value !== '');
  return `${collectionPath(resource, namespace === '' ? undefined : namespace)}?${new URLSearchParams(pairs)}`;
}
