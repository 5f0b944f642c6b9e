import type { Authorizer, UserInfo } from '@orch/auth';
import type { PastRead, StoredResource } from '@orch/registry';
import { attributesOf } from '@orch/request';
import type { Revision, Store } from '@orch/storage';

/** A read of the history by a user. */
export interface HistoryRead extends PastRead {
  readonly user: UserInfo;
}

export interface VisibilityOptions {
  readonly authorizer: Authorizer;
  readonly store: Pick<Store, 'get'>;
  readonly storePrefix: string;
  /** Reports whether revisions of two keys can be compared: those of different stores cannot. */
  readonly areComparable: (key: string, other: string) => boolean;
}

/**
 * The revision after which a user may see changes. Permissions in a namespace are about the present one: an earlier
 * namespace of that name and its content are visible only to users who may read the resource in all namespaces. A
 * request for a namespace itself is authorized in it, too. For a resource in another store than namespaces it is not known which
 * changes were in an earlier namespace.
 */
export async function visibleFrom(
  { authorizer, store, storePrefix, areComparable }: VisibilityOptions,
  { keyPrefix }: Pick<StoredResource, 'keyPrefix'>,
  { info, user, request }: HistoryRead,
): Promise<Revision> {
  if (info.namespace === '') return 0;
  const everywhere = attributesOf({ ...info, namespace: '' }, user);
  const { verdict } = await authorizer.authorize(everywhere, request);
  if (verdict === 'allow') return 0;
  const key = `${storePrefix}namespaces/${info.namespace}`;
  if (!areComparable(key, keyPrefix)) return Number.POSITIVE_INFINITY;
  const { kv } = await store.get(key, request.signal);
  // The creation of the namespace is visible as well.
  return kv === undefined ? Number.POSITIVE_INFINITY : kv.createRevision - 1;
}
