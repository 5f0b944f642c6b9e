import type { ObjectChange } from '@orch/client';
import { ApiError } from '@orch/machinery';
import type { Connection } from './connection.ts';
import { type ObjectPlace, pathOf, yamlAnswer } from './objects.ts';

/** Changes of an object that are shown. */
const MAX_CHANGES = 50;

/** The last changes of an object, the newest first. */
export interface ObjectHistory {
  readonly changes: readonly ObjectChange[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

/** Reads the history of an object; undefined on a server that keeps none. */
export async function readHistory(
  connection: Connection,
  place: ObjectPlace,
  signal: AbortSignal,
): Promise<ObjectHistory | undefined> {
  try {
    return await readChanges(connection, { place, limit: MAX_CHANGES }, signal);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The last changes of an object, or of all objects of a resource where the name is empty. */
export async function readChanges(
  { client }: Connection,
  choice: { readonly place: ObjectPlace; readonly limit: number; readonly since?: string },
  signal: AbortSignal,
): Promise<ObjectHistory> {
  const { place, limit, since } = choice;
  const history = client.history(place.resource, place.namespace || undefined);
  const changes: ObjectChange[] = [];
  for await (const change of history.changes(place.name || undefined, { since, limit: limit + 1 }, signal))
    changes.push(change);
  return { changes: changes.slice(0, limit), hasMore: changes.length > limit };
}

/** The object as YAML as it was at a resourceVersion; empty when it did not exist. */
export async function yamlAt(
  connection: Connection,
  { place, revision }: { readonly place: ObjectPlace; readonly revision: string },
  signal: AbortSignal,
): Promise<string> {
  if (revision === '') return '';
  try {
    const target = `/history${pathOf(place)}?at=${encodeURIComponent(revision)}`;
    return await yamlAnswer(connection, { target }, signal);
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status.code === 404;
