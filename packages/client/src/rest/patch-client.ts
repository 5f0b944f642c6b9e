import type { ApiObject } from '@orch/machinery';
import { applyQuery, writeQuery } from './options.ts';
import type { Requester } from './requester.ts';
import type { PatchClient } from './types.ts';

/** In which form the patched object is asked for, and how it is read. */
export interface PatchAnswer<T> {
  readonly accept: string;
  read(answer: unknown): T;
}

/** The patches of what stands under the path of a name. */
export function patchClient<T extends ApiObject>(
  requester: Requester,
  answer: PatchAnswer<T>,
  pathOf: (name: string) => string,
): PatchClient<T> {
  const send = async (
    contentType: string,
    target: () => string,
    body: unknown,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    // Made in here, so that a bad name is a rejection like every other failure.
    const request = { method: 'PATCH', target: target(), body, contentType, accept: answer.accept };
    return answer.read(await requester.json(request, signal));
  };
  return {
    json: (name, operations, options = {}, signal) =>
      send('application/json-patch+json', () => pathOf(name) + writeQuery(options), operations, signal),
    merge: (name, patch, options = {}, signal) =>
      send('application/merge-patch+json', () => pathOf(name) + writeQuery(options), patch, signal),
    strategic: (name, patch, options = {}, signal) =>
      send('application/strategic-merge-patch+json', () => pathOf(name) + writeQuery(options), patch, signal),
    // JSON is YAML, too.
    apply: (name, configuration, options, signal) =>
      send('application/apply-patch+yaml', () => pathOf(name) + applyQuery(options), configuration, signal),
  };
}
