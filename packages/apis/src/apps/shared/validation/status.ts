import { type FieldError, fieldError } from '@orch/machinery';
import { asNumber, type JsonObject } from '../../../read.ts';

/** Some of the pods cannot be more than all of them, and only ready ones are available. */
export function checkParts(status: JsonObject, parts: readonly string[]): readonly FieldError[] {
  const all = asNumber(status['replicas']);
  const errors = parts
    .filter((member) => asNumber(status[member]) > all)
    .map((member) =>
      fieldError.invalid(`status.${member}`, status[member], 'cannot be greater than status.replicas'),
    );
  const { availableReplicas: available } = status;
  if (asNumber(available) > asNumber(status['readyReplicas'])) {
    errors.push(
      fieldError.invalid('status.availableReplicas', available, 'cannot be greater than readyReplicas'),
    );
  }
  return errors;
}

/** Names of revisions are made from the count, so it never goes back. */
export function checkCollisions(status: JsonObject, old: JsonObject): readonly FieldError[] {
  const { collisionCount: count } = status;
  if (old['collisionCount'] === undefined || asNumber(count) >= asNumber(old['collisionCount'])) return [];
  return [fieldError.invalid('status.collisionCount', count ?? null, 'cannot be decremented')];
}
