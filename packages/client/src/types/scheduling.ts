// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** Names a priority, so that pods can ask for it by name. */
export type PriorityClass = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The priority: pods of a higher one come first. It cannot change. */
  value: number;
  /** Whether pods that name no class get this one. There is one such class at most. */
  globalDefault?: boolean;
  /** When to use the class, for people. */
  description?: string;
  /** Whether less important pods may be removed for those of the class: PreemptLowerPriority or Never. */
  preemptionPolicy?: string;
};
