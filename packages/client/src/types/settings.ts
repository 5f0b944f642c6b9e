// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** Variables and volumes, and the pods that they are added to. */
export interface PodPresetSpecV1alpha1 {
  /** Labels of the pods. */
  selector?: meta.LabelSelector;
  /** Environment variables for all containers. */
  env?: core.EnvVar[];
  /** Objects whose keys become environment variables of all containers. */
  envFrom?: core.EnvFromSource[];
  /** Volumes for the pod. */
  volumes?: core.Volume[];
  /** Where all containers see the volumes. */
  volumeMounts?: core.VolumeMount[];
}

/** Variables and volumes that are added to new pods with certain labels. */
export type PodPresetV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PodPresetSpecV1alpha1;
};
