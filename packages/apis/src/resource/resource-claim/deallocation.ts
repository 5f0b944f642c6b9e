import type { ResourceClaimStatus } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

/** The most consumers of a claim before release 1.32. */
const MAX_CONSUMERS = 32;

const isRequested = (status: ResourceClaimStatus | undefined): boolean =>
  status?.deallocationRequested === true;

/** Checks a request that the driver releases an allocation, which only release 1.31 has, and its number of consumers. */
export const checkDeallocation: Check<ResourceClaimStatus> = (next, { path, old, since }) => {
  const { allocation, reservedFor = [] } = next;
  const field = `${path}.deallocationRequested`;
  const errors: FieldError[] = [];
  if (reservedFor.length > MAX_CONSUMERS && !since('1.32'))
    errors.push(fieldError.tooMany(`${path}.reservedFor`, reservedFor.length, MAX_CONSUMERS));
  if (isRequested(next) && !isRequested(old) && reservedFor.length > 0)
    errors.push(fieldError.forbidden(field, 'deallocation cannot be requested while `reservedFor` is set'));
  if (isRequested(next) && allocation === undefined)
    errors.push(fieldError.forbidden(path, '`allocation` must be set when `deallocationRequested` is set'));
  if (isRequested(old) && !isRequested(next) && allocation !== undefined)
    errors.push(fieldError.forbidden(field, 'may not be cleared when `allocation` is set'));
  return errors;
};
