import type { ApiObject } from '@orch/machinery';
import type { Table } from '../rest/table.ts';
import type { TableClient, TableEvent } from '../rest/table-client.ts';
import type { List, ListOptions, ResourceClient, Stored, WatchEvent, WatchOptions } from '../rest/types.ts';
import { type FollowOptions, type FollowSource, follow } from './follow.ts';
import type { Selection } from './initial-state.ts';

/** The selected objects; `limit`: items of a page of the state; `onOpen`: as of a watch, for each of the watches. */
export type FollowSelection = Selection & Pick<ListOptions, 'limit'> & Pick<WatchOptions, 'onOpen'>;

/** Follows objects of a resource: pages of the state, then changes. See `follow`. */
export function followObjects<T extends ApiObject>(
  client: ResourceClient<T>,
  { limit, onOpen, ...selection }: FollowSelection,
): FollowSource<List<Stored<T>>, WatchEvent<Stored<T>>> {
  return {
    pages: (signal) => client.pages({ ...selection, ...(limit !== undefined && { limit }) }, signal),
    watch: (options, signal) =>
      client.watch({ ...selection, ...options, ...(onOpen !== undefined && { onOpen }) }, signal),
    pageVersion: ({ metadata }) => metadata.resourceVersion,
    eventVersion: ({ object }) => object.metadata.resourceVersion ?? '',
  };
}

/** The same as rows of tables. */
export function followTables(
  client: TableClient,
  { limit, onOpen, ...selection }: FollowSelection,
): FollowSource<Table, TableEvent> {
  return {
    pages: (signal) => client.pages({ ...selection, ...(limit !== undefined && { limit }) }, signal),
    watch: (options, signal) =>
      client.watch({ ...selection, ...options, ...(onOpen !== undefined && { onOpen }) }, signal),
    pageVersion: ({ resourceVersion }) => resourceVersion,
    eventVersion: ({ table }) => table.rows.at(-1)?.object?.metadata.resourceVersion ?? table.resourceVersion,
  };
}

/**
 * Follows one object by its name: its current state, then those after each change; undefined while it does not exist. States
 * may repeat. It fails as `follow` does.
 */
export async function* followObject<T extends ApiObject>(
  client: ResourceClient<T>,
  name: string,
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Stored<T> | undefined, void, undefined> {
  const source = followObjects(client, { fieldSelector: `metadata.name=${name}` });
  for await (const step of follow(source, options, signal)) {
    if (step.type === 'page') yield step.page.items[0];
    else if (step.event.type === 'DELETED') yield undefined;
    else if (step.event.type !== 'BOOKMARK') yield step.event.object;
  }
}

/** The items of a page that changed after a version: all of them where versions cannot be compared. */
export function changedSince<I>(
  items: readonly I[],
  since: string | undefined,
  versionOf: (item: I) => string | undefined,
): readonly I[] {
  if (since === undefined || !isNumeric(since)) return items;
  const least = BigInt(since);
  return items.filter((item) => {
    const version = versionOf(item) ?? '';
    return !isNumeric(version) || BigInt(version) > least;
  });
}

const isNumeric = (version: string): boolean => /^\d{1,20}$/.test(version);
