import type { ApiObject } from '@orch/machinery';
import { applyQuery, writeQuery } from './options.ts';
import type { Requester } from './requester.ts';
import type { PatchClient } from './types.ts';

/** The requested representation of the patched object, and how to read it. */
export interface PatchResponse<T> {
  readonly accept: string;
  read(body: unknown): T;
}

/** The patches of the object at the path of a name. */
export function patchClient<T extends ApiObject>(
  requester: Requester,
  response: PatchResponse<T>,
  pathOf: (name: string) => string,
): PatchClient<T> {
  const send = async (
    contentType: string,
    target: () => string,
    body: unknown,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    // Inside of the async function, so that an invalid name rejects like other failures.
    const request = { method: 'PATCH', target: target(), body, contentType, accept: response.accept };
    return response.read(await requester.json(request, signal));
  };
  return {
    json: (name, operations, options = {}, signal) =>
      send('application/json-patch+json', () => pathOf(name) + writeQuery(options), operations, signal),
    merge: (name, patch, options = {}, signal) =>
      send('application/merge-patch+json', () => pathOf(name) + writeQuery(options), patch, signal),
    strategic: (name, patch, options = {}, signal) =>
      send('application/strategic-merge-patch+json', () => pathOf(name) + writeQuery(options), patch, signal),
    // JSON is valid YAML.
    apply: (name, configuration, options, signal) =>
      send('application/apply-patch+yaml', () => pathOf(name) + applyQuery(options), configuration, signal),
  };
}
