import type { Work } from '@orch/machinery/concurrency';
import type { FieldSet } from '../fields/field-set.ts';
import { difference, intersection, recursiveDifference } from '../fields/set-algebra.ts';
import { type Change, fieldsSet } from '../typed/change.ts';
import type { Changes } from './changes.ts';
import type { ManagerId, Owner } from './owner.ts';

/** Fields of another manager that a write sets to another value. */
export interface Taken {
  readonly owner: Owner;
  readonly set: FieldSet;
}

export interface ResolvedOwnership {
  /** The other managers with their remaining fields. Managers without any field are removed. */
  readonly others: readonly Owner[];
  readonly taken: readonly Taken[];
}

/**
 * The effect of a write on all other managers: they lose the fields that it sets and the fields that it removes.
 * Managers in a version that is no longer served are dropped.
 */
export function resolveOwnership(
  owners: readonly Owner[],
  self: ManagerId,
  changes: Changes,
): ResolvedOwnership {
  const others: Owner[] = [];
  const taken: Taken[] = [];
  for (const owner of owners) {
    if (owner.isOf(self)) continue;
    const change = changes.in(owner.id.apiVersion);
    if (change === 'unserved') continue;
    if (change === undefined || !isTouched(owner, change)) {
      others.push(owner);
      continue;
    }
    const set = intersection(owner.set, fieldsSet(change));
    if (!set.isEmpty) taken.push({ owner, set });
    const left = owner.withSet(remaining(owner.set, set, change));
    if (left !== undefined) others.push(left);
  }
  return { others, taken };
}

/** Prepares `resolveOwnership`: reads the large sets that it needs, in pieces. */
export function* readingTouched(owners: readonly Owner[], self: ManagerId, changes: Changes): Work<void> {
  for (const owner of owners) {
    if (owner.isOf(self)) continue;
    const change = changes.in(owner.id.apiVersion);
    if (change !== undefined && change !== 'unserved' && isTouched(owner, change)) yield* owner.reading();
  }
}

const isTouched = (owner: Owner, { added, modified, removed }: Change): boolean =>
  owner.mayOwn(modified) || owner.mayOwn(added) || owner.mayOwn(removed);

function remaining(set: FieldSet, taken: FieldSet, { removed }: Change): FieldSet {
  const left = difference(set, taken);
  return removed === undefined ? left : recursiveDifference(left, removed);
}
