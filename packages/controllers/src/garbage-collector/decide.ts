import type { DeleteOptions } from '@orch/client';
import type { Names, ObjectMeta, OwnerReference } from '@orch/machinery';

/**
 * The state of an owner. `solid`: it exists; `waiting`: it is being deleted in the foreground and waits for its
 * dependents; `absent`: it certainly does not exist; `unknown`: the state cannot be determined at the moment.
 */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'unknown';

export interface OwnedSituation {
  readonly meta: ObjectMeta;
  /** The state of each owner, in the order of the owner references. */
  readonly states: readonly OwnerState[];
  readonly hasDependents: boolean;
  /** Whether one of its dependents waits for its own dependents, so that there may be a cycle. */
  readonly hasWaitingDependent: boolean;
}

export type Decision =
  | { readonly kind: 'nothing' }
  /** The state of an owner is unknown: decide again later. */
  | { readonly kind: 'later' }
  /** Replace the owner references by these. */
  | { readonly kind: 'setOwners'; readonly owners: readonly OwnerReference[] }
  | {
      readonly kind: 'delete';
      readonly policy: NonNullable<DeleteOptions['propagationPolicy']>;
      /** Owner references that do not block, to be written before the deletion; absent without a change. */
      readonly unblocked?: readonly OwnerReference[];
    };

/** Decides about an object that is not being deleted, by the states of its owners. */
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

/** Dependents of a waiting owner are deleted in the foreground, too. */
function foreground(situation: OwnedSituation, owners: readonly OwnerReference[]): Decision {
  const isInCycle =
    situation.hasWaitingDependent && owners.some((owner) => owner.blockOwnerDeletion === true);
  if (!isInCycle) return { kind: 'delete', policy: 'Foreground' };
  const unblocked = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
  return { kind: 'delete', policy: 'Foreground', unblocked };
}

/** Finalizers that request a propagation policy apply when the collector deletes the object, too. */
function policyOf(meta: ObjectMeta, { finalizers }: Names): 'Orphan' | 'Foreground' | 'Background' {
  const present = meta.finalizers ?? [];
  if (present.includes(finalizers.orphan)) return 'Orphan';
  return present.includes(finalizers.foregroundDeletion) ? 'Foreground' : 'Background';
}
