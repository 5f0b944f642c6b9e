import type { DiscoveredResource, FollowSource, List, WatchEvent } from '@orch/client';
import { followObjects, objectPath } from '@orch/client/browser';
import { ApiError } from '@orch/machinery';
import type { ObjectName } from '../view/view.ts';
import type { Connection, ServerRequest } from './connection.ts';
import { type Selection, selectorsOf } from './tables.ts';

/** An object of a kind. */
export interface ObjectPlace extends ObjectName {
  readonly resource: DiscoveredResource;
}

/** Pages and events of a few whole objects. */
export type ObjectsSource = FollowSource<List, WatchEvent>;

const MAX_OBJECTS = 500;

/** One object, followed by its name. Its pages have no item where it does not exist. */
export const objectSource = (
  connection: Connection,
  { resource, namespace, name }: ObjectPlace,
  onOpen: () => void,
): ObjectsSource =>
  listSource(connection, { resource, namespace, labels: '', fields: `metadata.name=${name}` }, onOpen);

/** Whole objects of a selection, which must be few: further ones are left out. */
export function listSource({ client }: Connection, selection: Selection, onOpen: () => void): ObjectsSource {
  const { resource, namespace } = selection;
  const objects = client.resource(resource, namespace || undefined);
  const selected = selectorsOf(selection);
  return {
    ...followObjects(objects, { ...selected, onOpen }),
    async *pages(signal) {
      yield await objects.list({ ...selected, limit: MAX_OBJECTS }, signal);
    },
  };
}

/** The path of an object. */
export const pathOf = ({ resource, namespace, name }: ObjectPlace): string =>
  objectPath(resource, namespace === '' ? undefined : namespace, name);

/** The object as YAML in the words of the server, so that no number loses digits; without the owners of its fields. */
export const readYaml = (connection: Connection, place: ObjectPlace, signal: AbortSignal): Promise<string> =>
  yamlAnswer(connection, { target: pathOf(place) }, signal);

/** The object in the answer to a request as YAML, without the owners of its fields. The request must be one that can be repeated. */
export async function yamlAnswer(
  connection: Connection,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<string> {
  try {
    return withoutManagedFields(await connection.text({ ...request, accept: 'application/yaml' }, signal));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Failures come as YAML, too. As JSON they have a reason and the fields that they are about.
    await connection.json(request, signal);
    throw error;
  }
}

/** Removes the list `managedFields` from the YAML that a server has written. */
export const withoutManagedFields = (yaml: string): string =>
  yaml.replace(/^ {2}managedFields:\n(?: {2}- .*\n| {3,}.*\n)*/m, '');
