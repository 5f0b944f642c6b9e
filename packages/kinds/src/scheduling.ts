// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

export type PriorityClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly description?: string;
  readonly preemptionPolicy?: string;
};
