import type { DeploymentStatus, ReplicaSetStatus, StatefulSetStatus } from '@orch/kinds/apps';
import { type FieldError, fieldError } from '@orch/machinery';

/** The fields of a workload's status that the rules read. */
type Counts = Pick<DeploymentStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'updatedReplicas'> &
  Pick<ReplicaSetStatus, 'fullyLabeledReplicas'> &
  Pick<StatefulSetStatus, 'currentReplicas'>;

/** Checks that partial counts do not exceed the total, and available pods not the ready ones. */
export function checkParts(status: Counts, parts: readonly (keyof Counts)[]): readonly FieldError[] {
  const all = status.replicas ?? 0;
  const errors = parts
    .filter((field) => (status[field] ?? 0) > all)
    .map((field) =>
      fieldError.invalid(`status.${field}`, status[field], 'cannot be greater than status.replicas'),
    );
  const { availableReplicas: available } = status;
  if ((available ?? 0) > (status.readyReplicas ?? 0)) {
    errors.push(
      fieldError.invalid('status.availableReplicas', available, 'cannot be greater than readyReplicas'),
    );
  }
  return errors;
}

/** The count is part of the names of revisions, so it never decreases. */
export function checkCollisions(status: StatefulSetStatus, old: StatefulSetStatus): readonly FieldError[] {
  const { collisionCount: count } = status;
  if (old.collisionCount === undefined || (count ?? 0) >= (old.collisionCount ?? 0)) return [];
  return [fieldError.invalid('status.collisionCount', count ?? null, 'cannot be decremented')];
}
