// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** A named priority that pods can select. */
export type PriorityClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The priority: pods of a higher one come first. It cannot change. */
  value: number;
  /** Whether this is the class of pods that name none. There is at most one such class. */
  globalDefault?: boolean;
  /** Human-readable description of the use of the class. */
  description?: string;
  /** Whether less important pods may be removed for those of the class: PreemptLowerPriority or Never. */
  preemptionPolicy?: 'PreemptLowerPriority' | 'Never' | (string & {});
};
