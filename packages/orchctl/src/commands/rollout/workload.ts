import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';

/** What deployments, stateful sets and daemon sets have in common. */
export interface Workload extends ApiObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly selector?: kinds.meta.LabelSelector | null;
    readonly template?: kinds.core.PodTemplateSpec;
  };
}
