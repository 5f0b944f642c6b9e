import { f, struct } from '@orch/schema';
import { VolumeMount } from '../../core/shared/pod-spec/container-parts.ts';
import { EnvFromSource, EnvVar } from '../../core/shared/pod-spec/env.ts';
import { Volume } from '../../core/shared/volume/volume.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import { checkPreset } from './validation.ts';

export const PodPresetSpec = struct(
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
