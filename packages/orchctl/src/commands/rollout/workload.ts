import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';

/** The common fields of deployments, stateful sets and daemon sets. */
export interface Workload extends ApiObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly selector?: kinds.meta.LabelSelector | null;
    readonly template?: kinds.core.PodTemplateSpec;
  };
}
