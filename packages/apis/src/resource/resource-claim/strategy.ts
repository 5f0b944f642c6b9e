import type { ResourceClaim, ResourceClaimStatus } from '@orch/kinds/resource';
import { hasDeletionTimestamp } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus, restoreMetadata } from '../../status-strategy.ts';
import { deviceKey, validateClaimStatus } from './validation.ts';

const keysOf = ({ allocation }: ResourceClaimStatus): ReadonlySet<string> =>
  new Set((allocation?.devices?.results ?? []).map(deviceKey));

/** Reports about devices that an update releases are removed: not every client knows about them. */
function withoutReleased(next: ResourceClaimStatus, old: ResourceClaimStatus): ResourceClaimStatus {
  const [before, now] = [keysOf(old), keysOf(next)];
  const devices = (next.devices ?? []).filter((one) => {
    const key = deviceKey(one);
    return now.has(key) || !before.has(key);
  });
  const { devices: _all, ...others } = next;
  return devices.length === 0 ? others : { ...others, devices };
}

/** Claims: the spec never changes; an allocation does not change until it is removed. */
export const resourceClaimStrategy: Strategy<ResourceClaim> = strategyOf<ResourceClaim>({
  resetStatus: true,
  deleteReturns: 'object',
  prepareForUpdate: keepStatus,
  through: {
    status: {
      prepareForUpdate(next, old) {
        restoreAllButStatus(next, old);
        restoreMetadata(next, old);
        if (next.status?.devices !== undefined) next.status = withoutReleased(next.status, old.status ?? {});
      },
      validate: (next, old) =>
        validateClaimStatus(next.status ?? {}, old.status ?? {}, {
          devices: next.spec?.devices ?? {},
          isDeleted: hasDeletionTimestamp(next.metadata),
        }),
    },
  },
});
