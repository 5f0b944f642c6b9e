import {
  type ApiObject,
  type FieldError,
  fieldError,
  hasDeletionTimestamp,
  jsonEquals,
} from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asObject, asObjects, asText, statusOf } from '../../read.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus } from '../../status-strategy.ts';

const consumersOf = (claim: ApiObject): ReadonlySet<string> =>
  new Set(asObjects(statusOf(claim)['reservedFor']).map(({ uid }) => asText(uid)));

const isRequested = (claim: ApiObject): boolean => statusOf(claim)['deallocationRequested'] === true;

/** Who may use the resource: nobody while there is none, one at a time unless it can be shared. */
function checkConsumers(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const path = 'status.reservedFor';
  const consumers = consumersOf(next);
  const before = consumersOf(old);
  if (jsonEquals(statusOf(next)['reservedFor'] ?? null, statusOf(old)['reservedFor'] ?? null)) return [];
  const { allocation } = statusOf(next);
  const errors: FieldError[] = [];
  if (consumers.size > 0 && allocation === undefined)
    errors.push(fieldError.forbidden(path, 'may not be specified when `allocated` is not set'));
  if (consumers.size > 1 && allocation !== undefined && asObject(allocation)['shareable'] !== true)
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

function checkAllocation(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const { allocation, driverName } = statusOf(next);
  const { allocation: before } = statusOf(old);
  return [
    ...(allocation !== undefined && asText(driverName) === ''
      ? [fieldError.required('status.driverName', 'must be specified when `allocation` is set')]
      : []),
    ...(allocation !== undefined && before !== undefined && !jsonEquals(allocation, before)
      ? [fieldError.invalid('status.allocation', allocation, 'field is immutable')]
      : []),
  ];
}

function checkDeallocation(next: ApiObject, old: ApiObject): readonly FieldError[] {
  if (!isRequested(next)) return [];
  const path = 'status.deallocationRequested';
  if (statusOf(next)['allocation'] === undefined)
    return [fieldError.forbidden(path, 'may not be set while nothing is allocated')];
  return !isRequested(old) && consumersOf(next).size > 0
    ? [fieldError.forbidden(path, 'deallocation cannot be requested while `reservedFor` is set')]
    : [];
}

/** Claims: what is asked never changes; what is allocated stays until it is given back, unused. */
export const resourceClaimStrategy: Strategy = strategyOf({
  resetStatus: true,
  prepareForUpdate: keepStatus,
  validate: (next, old) =>
    old === undefined || jsonEquals(next['spec'], old['spec'])
      ? []
      : [fieldError.invalid('spec', next['spec'], 'field is immutable')],
  through: {
    status: {
      prepareForUpdate: restoreAllButStatus,
      validate: (next, old) => [
        ...checkAllocation(next, old),
        ...checkConsumers(next, old),
        ...checkDeallocation(next, old),
      ],
    },
  },
});
