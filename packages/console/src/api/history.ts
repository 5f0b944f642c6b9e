import type { ObjectChange } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { asList, asNumber, asObject, asObjects, asText, type JsonObject } from '@orch/machinery/json';
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
    const target = `/history${pathOf(place)}?limit=${MAX_CHANGES}`;
    const page = asObject(await connection.json({ target }, signal));
    return { changes: asObjects(page['changes']).map(changeIn), hasMore: asText(page['continue']) !== '' };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
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

/** A change in an answer. */
export const changeIn = (change: JsonObject): ObjectChange => ({
  namespace: asText(change['namespace']),
  name: asText(change['name']),
  revision: asText(change['revision']),
  previousRevision: asText(change['previousRevision']),
  time: asText(change['time']),
  change: asText(change['change']),
  verb: asText(change['verb']),
  subresource: asText(change['subresource']),
  user: asText(change['user']),
  impersonatedBy: asText(change['impersonatedBy']),
  manager: asText(change['manager']),
  fields: asList(change['fields']).map(asText),
  moreFields: asNumber(change['moreFields']),
  note: asText(change['note']),
});
