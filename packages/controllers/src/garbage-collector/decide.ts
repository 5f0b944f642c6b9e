import type { DeleteOptions } from '@orch/client';
import type { Names, ObjectMeta, OwnerReference } from '@orch/machinery';

/**
 * What is known of an owner. `solid`: it is there; `waiting`: it is being deleted and waits for its dependents;
 * `absent`: there is certainly no such object; `unknown`: cannot be found out at the moment.
 */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'unknown';

export interface OwnedSituation {
  readonly meta: ObjectMeta;
  /** Of each owner reference, in their order. */
  readonly states: readonly OwnerState[];
  readonly hasDependents: boolean;
  /** One of its dependents waits in turn for its own dependents: they may wait for each other in a circle. */
  readonly hasWaitingDependent: boolean;
}

export type Decision =
  | { readonly kind: 'nothing' }
  /** Something is not known: once more later. */
  | { readonly kind: 'later' }
  /** These references are all that is to be left. */
  | { readonly kind: 'setOwners'; readonly owners: readonly OwnerReference[] }
  | {
      readonly kind: 'delete';
      readonly policy: NonNullable<DeleteOptions['propagationPolicy']>;
      /** References that hold up nobody, to be set first; absent where nothing is to change. */
      readonly unblocked?: readonly OwnerReference[];
    };

/** What becomes of an object that is not being deleted, by what became of its owners. */
export function decide(situation: OwnedSituation, names: Names): Decision {
  const { meta, states } = situation;
  const owners = meta.ownerReferences ?? [];
  const has = (state: OwnerState): boolean => states.includes(state);
  if (owners.length === 0) return { kind: 'nothing' };
  if (has('solid')) {
    if (!has('absent') && !has('waiting')) return { kind: 'nothing' };
    const kept = owners.filter((_, at) => states[at] === 'solid' || states[at] === 'unknown');
    return { kind: 'setOwners', owners: kept };
  }
  if (has('unknown')) return { kind: 'later' };
  if (has('waiting') && situation.hasDependents) return foreground(situation, owners);
  return { kind: 'delete', policy: policyOf(meta, names) };
}

/** An owner waits, so its dependents go as it does: after their own dependents. */
function foreground(situation: OwnedSituation, owners: readonly OwnerReference[]): Decision {
  const inCircle = situation.hasWaitingDependent && owners.some((owner) => owner.blockOwnerDeletion === true);
  if (!inCircle) return { kind: 'delete', policy: 'Foreground' };
  const unblocked = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  return { kind: 'delete', policy: 'Foreground', unblocked };
}

/** What was asked for with finalizers before the object lost its owners still counts. */
function policyOf(meta: ObjectMeta, { finalizers }: Names): 'Orphan' | 'Foreground' | 'Background' {
  const present = meta.finalizers ?? [];
  if (present.includes(finalizers.orphan)) return 'Orphan';
  return present.includes(finalizers.foregroundDeletion) ? 'Foreground' : 'Background';
}
