import type {
  Deployment,
  DeploymentSpec,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from '@orch/kinds/apps';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkCollisions, checkParts } from '../../core/shared/validation/replica-counts.ts';
import { checkAmount, isNone } from '../shared/validation/amount.ts';

const types = ['Recreate', 'RollingUpdate'];

/** For compatibility, an unknown type is an error of the strategy as a whole. */
export const checkDeploymentStrategy: Check<DeploymentStrategy> = (strategy, { path }) => {
  const { type, rollingUpdate } = strategy;
  if (type === 'RollingUpdate') return checkRollingUpdate(`${path}.rollingUpdate`, rollingUpdate ?? {});
  if (type !== 'Recreate') return [fieldError.notSupported(path, type ?? '', types)];
  if (rollingUpdate === undefined) return [];
  return [
    fieldError.forbidden(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"),
  ];
};

/** Without pods to spare on either side, nothing could ever be replaced. */
function checkRollingUpdate(
  path: string,
  { maxUnavailable, maxSurge }: RollingUpdateDeployment,
): readonly FieldError[] {
  const errors = [
    ...checkAmount(`${path}.maxUnavailable`, maxUnavailable, { atMost100: true }),
    ...checkAmount(`${path}.maxSurge`, maxSurge),
  ];
  if (!isNone(maxUnavailable) || !isNone(maxSurge)) return errors;
  const why = 'may not be 0 when `maxSurge` is 0';
  return [...errors, fieldError.invalid(`${path}.maxUnavailable`, maxUnavailable ?? null, why)];
}

/** Pods cannot become available within the deadline when they have to be ready for longer than that. */
export const checkDeploymentSpec: Check<DeploymentSpec> = (spec, { path }) => {
  const { progressDeadlineSeconds: deadline, minReadySeconds } = spec;
  if (deadline === undefined || (deadline ?? 0) > (minReadySeconds ?? 0)) return [];
  return [
    fieldError.invalid(`${path}.progressDeadlineSeconds`, deadline, 'must be greater than minReadySeconds'),
  ];
};

export const validateDeploymentStatus = (next: Deployment, old: Deployment): readonly FieldError[] => [
  ...checkParts(next.status ?? {}, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  ...checkCollisions(next.status ?? {}, old.status ?? {}),
];
