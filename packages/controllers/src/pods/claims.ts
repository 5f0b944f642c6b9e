import { controllerOf, isBeingDeleted } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import type { LabelSelector } from '@orch/machinery/selectors';

/** Which objects an owner controls, and which it should take over or give up. */
export interface Claims<T> {
  readonly owned: readonly T[];
  /** Without a controller, and selected by the owner. */
  readonly adopt: readonly T[];
  /** Controlled by the owner, which does not select them any more. */
  readonly release: readonly T[];
}

/** Decides about objects of the namespace of an owner. An owner that is being deleted takes over nothing. */
export function decideClaims<T extends ApiObject>(
  owner: ApiObject,
  selector: LabelSelector,
  objects: Iterable<T>,
): Claims<T> {
  const owned: T[] = [];
  const adopt: T[] = [];
  const release: T[] = [];
  const isEnding = isBeingDeleted(owner);
  for (const object of objects) {
    const controller = controllerOf(object);
    const isSelected = selector.matches(object.metadata.labels);
    if (controller === undefined) {
      if (isSelected && !isEnding && !isBeingDeleted(object)) adopt.push(object);
    } else if (controller.uid === owner.metadata.uid) {
      if (isSelected || isEnding) owned.push(object);
      else release.push(object);
    }
  }
  return { owned, adopt, release };
}
