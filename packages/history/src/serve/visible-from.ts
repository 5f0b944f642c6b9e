import type { Authorizer, UserInfo } from '@orch/auth';
import type { PastRead } from '@orch/registry';
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
}

/**
 * The revision after which a user may see changes. Permissions in a namespace are about the present one: an earlier
 * namespace of that name and its content are visible only to users who may read the resource in all namespaces. A
 * request for a namespace itself is authorized in it, too.
 */
export async function visibleFrom(
  { authorizer, store, storePrefix }: VisibilityOptions,
  { info, user, request }: HistoryRead,
): Promise<Revision> {
  if (info.namespace === '') return 0;
  const everywhere = attributesOf({ ...info, namespace: '' }, user);
  const { verdict } = await authorizer.authorize(everywhere, request);
  if (verdict === 'allow') return 0;
  const { kv } = await store.get(`${storePrefix}namespaces/${info.namespace}`, request.signal);
  // The creation of the namespace is visible as well.
  return kv === undefined ? Number.POSITIVE_INFINITY : kv.createRevision - 1;
}
