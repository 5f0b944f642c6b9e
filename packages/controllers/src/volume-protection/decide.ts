import { hasFinalizer, isBeingDeleted, type kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';

export type FinalizerDecision = 'keep' | 'add' | 'removeWhenUnused';

/** The finalizer of a volume or a claim: from its creation until it is deleted and unused. */
export function decideFinalizer(object: ApiObject, finalizer: string): FinalizerDecision {
  const isProtected = hasFinalizer(object, finalizer);
  if (isBeingDeleted(object)) return isProtected ? 'removeWhenUnused' : 'keep';
  return isProtected ? 'keep' : 'add';
}

/** Reports whether a claim is bound to the volume, which is in use then. */
export const isVolumeBound = ({ status }: kinds.core.PersistentVolume): boolean => status?.phase === 'Bound';
