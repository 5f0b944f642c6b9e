import type { ResourceClaimV1alpha2 } from '@orch/kinds/resource';
import { type FieldError, fieldError, hasDeletionTimestamp } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { strategyOf } from '../../../define-resource.ts';
import type { Strategy } from '../../../resource-type.ts';
import { keepStatus, restoreAllButStatus, restoreMetadata } from '../../../status-strategy.ts';

const consumersOf = (claim: ResourceClaimV1alpha2): ReadonlySet<string> =>
  new Set((claim.status?.reservedFor ?? []).map(({ uid }) => uid ?? ''));

const isRequested = (claim: ResourceClaimV1alpha2): boolean => claim.status?.deallocationRequested === true;

/** Checks the consumers of the resource: none without an allocation, one at a time unless it can be shared. */
function checkConsumers(next: ResourceClaimV1alpha2, old: ResourceClaimV1alpha2): readonly FieldError[] {
  const path = 'status.reservedFor';
  const consumers = consumersOf(next);
  const before = consumersOf(old);
  if (jsonEquals(next.status?.reservedFor ?? null, old.status?.reservedFor ?? null)) return [];
  const { allocation } = next.status ?? {};
  const errors: FieldError[] = [];
  if (consumers.size > 0 && allocation === undefined)
    errors.push(fieldError.forbidden(path, 'may not be specified when `allocated` is not set'));
  if (consumers.size > 1 && allocation !== undefined && allocation?.shareable !== true)
    errors.push(fieldError.forbidden(path, 'may not be reserved more than once'));
  if (
    (isRequested(next) || hasDeletionTimestamp(next.metadata)) &&
    [...consumers].some((uid) => !before.has(uid))
  ) {
    const why = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
    errors.push(fieldError.forbidden(path, why));
  }
  return errors;
}

function checkAllocation(next: ResourceClaimV1alpha2, old: ResourceClaimV1alpha2): readonly FieldError[] {
  const { allocation, driverName } = next.status ?? {};
  const { allocation: before } = old.status ?? {};
  return [
    ...(allocation !== undefined && (driverName ?? '') === ''
      ? [fieldError.required('status.driverName', 'must be specified when `allocation` is set')]
      : []),
    ...(allocation !== undefined && before !== undefined && !jsonEquals(allocation, before)
      ? [fieldError.invalid('status.allocation', allocation, 'field is immutable')]
      : []),
  ];
}

function checkDeallocation(next: ResourceClaimV1alpha2, old: ResourceClaimV1alpha2): readonly FieldError[] {
  if (!isRequested(next)) return [];
  const path = 'status.deallocationRequested';
  if (next.status?.allocation === undefined)
    return [fieldError.forbidden(path, 'may not be set while nothing is allocated')];
  return !isRequested(old) && consumersOf(next).size > 0
    ? [fieldError.forbidden(path, 'deallocation cannot be requested while `reservedFor` is set')]
    : [];
}

/** Claims: the spec never changes; an allocation does not change until it is removed. */
export const resourceClaimStrategy: Strategy<ResourceClaimV1alpha2> = strategyOf({
  resetStatus: true,
  deleteReturns: 'object',
  prepareForUpdate: keepStatus,
  validate: (next, old) =>
    old === undefined || jsonEquals(next.spec, old.spec)
      ? []
      : [fieldError.invalid('spec', next.spec, 'field is immutable')],
  through: {
    status: {
      prepareForUpdate(next, old) {
        restoreAllButStatus(next, old);
        restoreMetadata(next, old);
      },
      validate: (next, old) => [
        ...checkAllocation(next, old),
        ...checkConsumers(next, old),
        ...checkDeallocation(next, old),
      ],
    },
  },
});
