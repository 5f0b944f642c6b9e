import type { DiscoveredResource, ObjectChange } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import { readResourceWords } from '../../resources/resource-words.ts';
import type { Session } from '../../session/session.ts';

/** An object that a command line names. */
export interface NamedObject {
  readonly resource: DiscoveredResource;
  readonly namespace: string | undefined;
  readonly name: string;
}

const OBJECT_NEEDED = 'one object must be named: TYPE NAME or TYPE/NAME';

/** The one object of `TYPE NAME` or `TYPE/NAME`. */
export async function namedObject(words: readonly string[], session: Session): Promise<NamedObject> {
  if (words.length === 0) throw new UsageError(OBJECT_NEEDED);
  const [named, ...more] = await readResourceWords(words, session.resources);
  const [name, ...others] = named?.names ?? [];
  if (named === undefined || name === undefined || more.length + others.length > 0)
    throw new UsageError(OBJECT_NEEDED);
  return { resource: named.resource, namespace: namespaceOf(named.resource, session), name };
}

export const namespaceOf = (
  { namespaced }: DiscoveredResource,
  { namespace }: Pick<Session, 'namespace'>,
): string | undefined => (namespaced ? namespace : undefined);

/** All changes of a reading. */
export async function allChanges(reading: AsyncIterable<ObjectChange>): Promise<readonly ObjectChange[]> {
  const changes: ObjectChange[] = [];
  for await (const change of reading) changes.push(change);
  return changes;
}

/** Explains that a server has no history, and therefore no such path. */
export async function fromHistory<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (isWithoutHistory(error))
      throw new CommandError('the server keeps no history of objects: it runs without --history-retention', {
        cause: error,
      });
    throw error;
  }
}

/** An object that does not exist is named in the answer; a path that does not exist is not. */
export const isWithoutHistory = (error: unknown): boolean =>
  error instanceof ApiError && error.status.code === 404 && error.status.details?.name === undefined;
