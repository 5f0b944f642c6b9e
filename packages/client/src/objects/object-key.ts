import type { ApiObject } from '@orch/machinery';

/** `namespace/name`, or `name` for cluster-scoped resources. */
export type ObjectKey = string;

/** The key of a name: `namespace/name`, or `name` without a namespace. */
export const keyOf = (namespace: string | undefined, name: string): ObjectKey =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

/** The key of an object in queues and stores. */
export const objectKey = (object: ApiObject): ObjectKey =>
  keyOf(object.metadata.namespace, object.metadata.name ?? '');

/** The inverse of `keyOf`. */
export function splitKey(key: ObjectKey): { readonly namespace: string | undefined; readonly name: string } {
  const at = key.indexOf('/');
  return at < 0
    ? { namespace: undefined, name: key }
    : { namespace: key.slice(0, at), name: key.slice(at + 1) };
}
