import type { Attributes, UserInfo } from '@orch/auth';
import { parseFieldSelector } from '@orch/machinery/selectors';
import type { RequestInfo, ResourceRequest } from '../message/types.ts';
import { queryValue } from './query.ts';

/**
 * The attributes of a request for authorization and audit. `apply` counts as `patch`. A list or watch whose field
 * selector names one object has the name of that object: permission for the object is enough.
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

/** The name of the one object of a request, from its path or field selector; empty when there may be several. */
export const selectedNameOf = (
  { name, verb }: Pick<ResourceRequest, 'name' | 'verb'>,
  rawQuery: string,
): string => (name === '' && rawQuery !== '' ? selectedName(verb, rawQuery) : name);

/** The verb `deletecollection` is not restricted by names. */
const ofCollections: ReadonlySet<string> = new Set(['list', 'watch']);

/** Empty unless the selector matches one name only. A malformed selector is refused where it is used. */
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
