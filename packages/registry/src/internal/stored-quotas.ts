import type { QuotaStore } from '@orch/admission';
import { quotaMarkKey } from '../commit/quota-marks.ts';
import type { WritePath } from '../context/paths.ts';
import { objectKey } from '../resource/store-keys.ts';
import { internalObjects } from './internal-objects.ts';
import type { InternalResource } from './internal-resource.ts';

/** The quotas in the store. They are created on first use, since plugins are created together with the registry. */
export function storedQuotas(contextOf: () => WritePath): QuotaStore {
  let found: InternalResource | undefined;
  const quotas = (): InternalResource => {
    found ??= internalObjects(contextOf()).resource('', 'resourcequotas');
    if (found === undefined) throw new TypeError('the API has no resourcequotas');
    return found;
  };
  return {
    read: (name, signal) => quotas().read(name, signal),
    replace: (name, quota, signal) => quotas().replace(name, { ...quota, isCharge: true }, signal),
    async calculatedBy({ namespace, name }, signal) {
      const { store, storePrefix } = contextOf();
      const { kv } = await store.get(quotaMarkKey(storePrefix, objectKey(true, namespace, name)), signal);
      return kv?.modRevision;
    },
  };
}
