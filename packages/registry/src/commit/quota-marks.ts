import type { ResourceType } from '@orch/apis';
import { type SideWrite, sideWritesOf, type Write } from '@orch/storage';
import type { ObjectCommitter } from '../resource/object-committer.ts';
import { internalKey } from '../resource/store-keys.ts';

/** Reports whether a resource is that of the quotas. */
export const isQuota = ({ group, resource }: Pick<ResourceType, 'group' | 'resource'>): boolean =>
  group === '' && resource === 'resourcequotas';

/**
 * The key of the mark of a quota. Its mod revision is that of the last write of the quota that admission has not made, or a later
 * one before the next commit.
 */
export const quotaMarkKey = (storePrefix: string, key: string): string =>
  internalKey(storePrefix, `quotas/${key}`);

const marked = Buffer.alloc(0);

/**
 * Marks the writes of quotas by clients and controllers, which may calculate the usage, so that every server knows whether a
 * charge is still part of it: charges by admission leave the mark.
 */
export const markingQuotas = (next: ObjectCommitter, storePrefix: string): ObjectCommitter => ({
  commit(object, write) {
    const { resource, key, isCharge } = object;
    if (isCharge === true || !isQuota(resource.type)) return next.commit(object, write);
    const markKey = quotaMarkKey(storePrefix, key);
    const mark = write.op === 'delete' ? { key: markKey } : { key: markKey, value: marked };
    return next.commit(object, withSide(write, mark));
  },
});

function withSide(write: Write, side: SideWrite): Write {
  const also = [...(sideWritesOf(write) ?? []), side];
  return { ...write, ...{ also } };
}
