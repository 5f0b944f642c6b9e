import type { ApiObject } from '@orch/machinery';
import { exactKey } from './exact-numbers.ts';
import { writeQuery } from './options.ts';
import { patchClient } from './patch-client.ts';
import { objectPath } from './paths.ts';
import { objectIn } from './read-object.ts';
import type { Requester } from './requester.ts';
import type { Resource, Stored, SubresourceClient } from './types.ts';

/** The objects of the other subresources that can be applied have the kind of their resource. */
const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** One subresource of the objects of a resource. */
export function subresourceClient<S extends ApiObject>(
  requester: Requester,
  resource: Resource,
  namespace: string | undefined,
  subresource: string,
): SubresourceClient<S> {
  const pathOf = (name: string, own = namespace): string => objectPath(resource, own, name, subresource);
  const keyOf = (name: string, own = namespace): string => exactKey(resource, own, name);
  return {
    async get(name, signal) {
      return objectIn<Stored<S>>(await requester.json({ method: 'GET', target: pathOf(name) }, signal));
    },
    async update(object, options = {}, signal) {
      const { name = '', namespace: own } = object.metadata;
      const target = pathOf(name, namespace ?? own) + writeQuery(options);
      const about = keyOf(name, namespace ?? own);
      return objectIn<Stored<S>>(
        await requester.json({ method: 'PUT', target, body: object, about }, signal),
      );
    },
    async create(name, body, options = {}, signal) {
      const target = pathOf(name) + writeQuery(options);
      return objectIn<S>(await requester.json({ method: 'POST', target, body }, signal));
    },
    patch: patchClient<S>(
      requester,
      { accept: 'application/json', read: objectIn<Stored<S>> },
      { kind: subresource === 'scale' ? scale : resource, pathOf, keyOf },
    ),
  };
}
