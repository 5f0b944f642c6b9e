import type { PodPresetSpecV1alpha1 } from '@orch/kinds/settings';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { VolumeMount } from '../../core/shared/pod-spec/container-parts.ts';
import { EnvFromSource, EnvVar } from '../../core/shared/pod-spec/env.ts';
import { checkEnvFrom } from '../../core/shared/pod-spec/validation/env.ts';
import { checkMounts, volumesOf } from '../../core/shared/pod-spec/validation/mounts.ts';
import { Volume } from '../../core/shared/volume/volume.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { metadataField, specField } from '../../meta/standard-fields.ts';

const gifts = ['volumes', 'env', 'envFrom', 'volumeMounts'] as const;

/** Checks that a preset is not empty, and mounts only volumes that it has. */
const checkPreset: Check<PodPresetSpecV1alpha1> = (spec, { path, root }) => {
  if (gifts.every((field) => (spec[field] ?? []).length === 0)) {
    return [fieldError.required(`${path}.${gifts.join('.')}`, 'must specify at least one')];
  }
  return [
    ...checkEnvFrom(`${path}.envFrom`, spec.envFrom ?? []),
    ...checkMounts(path, spec, volumesOf(spec, root)),
  ];
};

const PodPresetSpec = struct(
  'settings.v1alpha1.PodPresetSpec',
  'Variables and volumes, and the pods that they are added to.',
  {
    selector: f.struct(1, LabelSelector, { doc: 'Labels of the pods.', presence: 'always' }),
    env: f.list(2, EnvVar, { doc: 'Environment variables for all containers.' }),
    envFrom: f.list(3, EnvFromSource, {
      doc: 'Objects whose keys become environment variables of all containers.',
    }),
    volumes: f.list(4, Volume, { doc: 'Volumes for the pod.', uniqueBy: 'name' }),
    volumeMounts: f.list(5, VolumeMount, { doc: 'Where all containers see the volumes.' }),
  },
  { checks: [checkPreset] },
);

export const PodPreset = struct(
  'settings.v1alpha1.PodPreset',
  'Variables and volumes that are added to new pods with certain labels.',
  {
    metadata: metadataField,
    spec: specField(PodPresetSpec),
  },
  { typeMeta: true },
);
