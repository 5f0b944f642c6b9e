import { finiteNumber } from '@orch/machinery';
import { RefusedRequest } from './refused-request.ts';
import type { Resource } from './types.ts';

type Value = string | number | boolean | undefined;

/** `/api/v1` or `/apis/<group>/<version>`. */
export const groupVersionPath = ({ group, version }: Pick<Resource, 'group' | 'version'>): string =>
  group === ''
    ? `/api/${segment('version', version)}`
    : `/apis/${segment('group', group)}/${segment('version', version)}`;

/** Path of the collection (spec 4.1); of all namespaces when `namespace` is undefined. */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  const prefix = groupVersionPath(resource);
  const plural = segment('resource', resource.resource);
  return resource.namespaced && namespace !== undefined
    ? `${prefix}/namespaces/${segment('namespace', namespace)}/${plural}`
    : `${prefix}/${plural}`;
}

/** Path of one object, or of a subresource of it, `status` or `proxy`. Namespaced objects need a namespace. */
export function objectPath(
  resource: Resource,
  namespace: string | undefined,
  name: string,
  subresource?: string,
): string {
  if (resource.namespaced && namespace === undefined)
    throw new RefusedRequest(`${resource.resource} ${JSON.stringify(name)}: a namespace is required`);
  const path = `${collectionPath(resource, namespace)}/${segment('name', name)}`;
  return subresource === undefined ? path : `${path}/${segment('subresource', subresource)}`;
}

/**
 * One segment of a path. Throws for a name that would change the path: an empty name, for instance, would turn the
 * deletion of one object into that of a collection.
 */
function segment(what: string, text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%]/.test(text) || !text.isWellFormed())
    throw new RefusedRequest(`${what}: ${JSON.stringify(text)} cannot be part of a path`);
  return encodeURIComponent(text);
}

/** `?a=1&b=x`, or empty. Undefined values are omitted. */
export function queryOf(values: Readonly<Record<string, Value>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (typeof value === 'number') finiteNumber(name, value);
    const text = String(value);
    if (!text.isWellFormed()) throw new RefusedRequest(`${name}: the text is not well-formed Unicode`);
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
