import type { Attributes, UserInfo } from '@orch/auth';
import { parseFieldSelector } from '@orch/machinery';
import type { RequestInfo, ResourceRequest } from '../message/types.ts';
import { queryValue } from './query.ts';

/**
 * What a request is about, as authorization and the audit see it. `apply` counts as `patch`. A collection of which the
 * field selector takes one object by its name is about that name: who may read this object alone may follow it.
 */
export function attributesOf(info: RequestInfo, user: UserInfo, rawQuery = ''): Attributes {
  if (!info.isResource) return { user, isResource: false, verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace } = info;
  return {
    user,
    isResource: true,
    verb: verb === 'apply' ? 'patch' : verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name: selectedNameOf(info, rawQuery),
  };
}

/** The name of the one object that a request is about, by its path or by its field selector; empty when there may be more. */
export const selectedNameOf = (
  { name, verb }: Pick<ResourceRequest, 'name' | 'verb'>,
  rawQuery: string,
): string => (name === '' && rawQuery !== '' ? selectedName(verb, rawQuery) : name);

/** Deleting a collection is a permission of its own, which names do not narrow. */
const ofCollections: ReadonlySet<string> = new Set(['list', 'watch']);

/** Empty unless nothing but an object of one name can be meant. What cannot be read is refused where it is used. */
function selectedName(verb: string, rawQuery: string): string {
  const text = ofCollections.has(verb) ? queryValue(rawQuery, 'fieldSelector') : undefined;
  if (text === undefined || !text.includes('metadata.name')) return '';
  try {
    const named = parseFieldSelector(text).equalities.find(({ field }) => field === 'metadata.name');
    return named !== undefined && !/^\.{0,2}$|[/%]/.test(named.value) ? named.value : '';
  } catch {
    return '';
  }
}
