import { type ApiObject, formatApiVersion } from '@orch/machinery';
import { applyQuery, writeQuery } from './options.ts';
import type { Requester } from './requester.ts';
import type { PatchClient, Resource, Stored } from './types.ts';

/** The requested representation of the patched object, and how to read it. */
export interface PatchResponse<T extends ApiObject> {
  readonly accept: string;
  read(body: unknown): Stored<T>;
}

/** The path of the object of a name, and the key of its exact numbers. */
export interface PatchTarget {
  /** The kind of applied configurations that have none. */
  readonly kind: Pick<Resource, 'group' | 'version' | 'kind'>;
  pathOf(name: string): string;
  keyOf(name: string): string;
}

/** The patches of the objects of a target. */
export function patchClient<T extends ApiObject>(
  requester: Requester,
  response: PatchResponse<T>,
  { kind, pathOf, keyOf }: PatchTarget,
): PatchClient<T> {
  const send = async (
    contentType: string,
    name: string,
    { query, body }: { readonly query: () => string; readonly body: unknown },
    signal: AbortSignal | undefined,
  ): Promise<Stored<T>> => {
    // Inside of the async function, so that an invalid name rejects like other failures.
    const target = pathOf(name) + query();
    const request = {
      method: 'PATCH',
      target,
      body,
      contentType,
      accept: response.accept,
      about: keyOf(name),
    };
    return response.read(await requester.json(request, signal));
  };
  return {
    json: (name, body, options = {}, signal) =>
      send('application/json-patch+json', name, { query: () => writeQuery(options), body }, signal),
    merge: (name, body, options = {}, signal) =>
      send('application/merge-patch+json', name, { query: () => writeQuery(options), body }, signal),
    strategic: (name, body, options = {}, signal) =>
      send(
        'application/strategic-merge-patch+json',
        name,
        { query: () => writeQuery(options), body },
        signal,
      ),
    // JSON is valid YAML.
    apply(name, configuration, options, signal) {
      const { metadata, ...rest } = configuration;
      const own = { apiVersion: formatApiVersion(kind), kind: kind.kind, metadata: { name, ...metadata } };
      const body = { ...own, ...rest };
      return send('application/apply-patch+yaml', name, { query: () => applyQuery(options), body }, signal);
    },
  };
}
