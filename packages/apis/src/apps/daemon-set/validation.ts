import type { DaemonSet, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from '@orch/kinds/apps';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check, CheckContext } from '@orch/schema';
import { checkCollisions } from '../../core/shared/validation/replica-counts.ts';
import { checkAmount, isNone } from '../shared/validation/amount.ts';

const types = ['OnDelete', 'RollingUpdate'];

/** For compatibility, an unknown type is an error of the strategy as a whole. */
export const checkDaemonSetStrategy: Check<DaemonSetUpdateStrategy> = (strategy, { path, since }) => {
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [fieldError.notSupported(path, type ?? '', types)];
  return checkRollingUpdate({ path: `${path}.rollingUpdate`, since }, rollingUpdate ?? {});
};

/** Pods are replaced either after the old one is deleted or before, but not both, and not neither. */
function checkRollingUpdate(
  { path, since }: Pick<CheckContext, 'path' | 'since'>,
  { maxUnavailable, maxSurge }: RollingUpdateDaemonSet,
): readonly FieldError[] {
  const errors = [
    ...checkAmount(`${path}.maxUnavailable`, maxUnavailable, { atMost100: true }),
    ...checkAmount(`${path}.maxSurge`, maxSurge, { atMost100: true }),
  ];
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    const at = `${path}.maxUnavailable`;
    errors.push(
      since('1.22')
        ? fieldError.required(at, 'cannot be 0 when maxSurge is 0')
        : fieldError.invalid(at, maxUnavailable ?? null, 'cannot be 0'),
    );
  } else if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    const why = 'may not be set when maxUnavailable is non-zero';
    errors.push(fieldError.invalid(`${path}.maxSurge`, maxSurge, why));
  }
  return errors;
}

export const validateDaemonSetStatus = (next: DaemonSet, old: DaemonSet): readonly FieldError[] =>
  checkCollisions(next.status ?? {}, old.status ?? {});
