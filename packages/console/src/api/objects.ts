import { type DiscoveredResource, type FollowSource, objectPath } from '@orch/client';
import { ApiError, type ApiObject } from '@orch/machinery';
import { asObject, asObjects, asText, type JsonObject } from '@orch/machinery/json';
import type { ObjectName } from '../view/view.ts';
import type { Connection, ServerRequest } from './connection.ts';
import { readStatus } from './status.ts';
import { type Selection, targetOf } from './tables.ts';

/** An object of a kind. */
export interface ObjectPlace extends ObjectName {
  readonly resource: DiscoveredResource;
}

/** A change of one object; undefined in a bookmark. */
export interface ObjectEvent {
  readonly type: string;
  readonly object: ApiObject;
}

interface ObjectPage {
  readonly items: readonly ApiObject[];
  readonly resourceVersion: string;
}

/** One object, followed by its name. Its pages have no item where it does not exist. */
export function objectSource(
  connection: Connection,
  { resource, namespace, name }: ObjectPlace,
  onOpen: () => void,
): FollowSource<ObjectPage, ObjectEvent> {
  const selection = { resource, namespace, labels: '', fields: `metadata.name=${name}` };
  return listSource(connection, selection, onOpen);
}

/** Whole objects of a selection, which must be few. */
export function listSource(
  connection: Connection,
  selection: Selection,
  onOpen: () => void,
): FollowSource<ObjectPage, ObjectEvent> {
  return {
    async *pages(signal) {
      const list = asObject(await connection.json({ target: targetOf(selection, { limit: '500' }) }, signal));
      const resourceVersion = asText(asObject(list['metadata'])['resourceVersion']);
      yield { items: asObjects(list['items']).map(objectOf), resourceVersion };
    },
    async *watch({ resourceVersion = '', timeoutSeconds = 300 }, signal) {
      const query = {
        ...{ watch: 'true', allowWatchBookmarks: 'true', resourceVersion },
        timeoutSeconds: String(timeoutSeconds),
      };
      for await (const value of connection.values({ target: targetOf(selection, query) }, signal, onOpen)) {
        const event = asObject(value);
        if (event['type'] === 'ERROR') throw new ApiError(readStatus(asObject(event['object']), 500));
        yield { type: asText(event['type']), object: objectOf(asObject(event['object'])) };
      }
    },
    pageVersion: ({ resourceVersion }) => resourceVersion,
    eventVersion: ({ object }) => object.metadata.resourceVersion ?? '',
  };
}

const objectOf = (value: JsonObject): ApiObject =>
  ({ ...value, metadata: asObject(value['metadata']) }) as ApiObject;

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
