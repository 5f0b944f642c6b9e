import type { PodPresetSpecV1alpha1 } from '@orch/kinds/settings';
import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkEnvFrom } from '../../core/shared/pod-spec/validation/env.ts';
import { checkMounts, volumesOf } from '../../core/shared/pod-spec/validation/mounts.ts';

const gifts = ['volumes', 'env', 'envFrom', 'volumeMounts'] as const;

/** Checks that a preset is not empty, and mounts only volumes that it has. */
export const checkPreset: Check<PodPresetSpecV1alpha1> = (spec, { path, root }) => {
  if (gifts.every((field) => (spec[field] ?? []).length === 0)) {
    return [fieldError.required(`${path}.${gifts.join('.')}`, 'must specify at least one')];
  }
  return [
    ...checkEnvFrom(`${path}.envFrom`, spec.envFrom ?? []),
    ...checkMounts(path, spec, volumesOf(spec, root)),
  ];
};
