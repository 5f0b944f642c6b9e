// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type PodPresetSpecV1alpha1 = {
  readonly selector?: meta.LabelSelector;
  readonly env?: readonly core.EnvVar[];
  readonly envFrom?: readonly core.EnvFromSource[];
  readonly volumes?: readonly core.Volume[];
  readonly volumeMounts?: readonly core.VolumeMount[];
};

export type PodPresetV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodPresetSpecV1alpha1;
};
