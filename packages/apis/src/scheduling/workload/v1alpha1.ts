import { chain, f, lossless, move, struct, within } from '@orch/schema';
import { uniqueItems } from '../../validation-rules.ts';
import { PodGroupPolicyV1Alpha1 } from '../shared/policy.ts';
import { controllerRefField, templateNameField, templates, Workload, workloadOf } from './v1beta1.ts';

const PodGroup = struct('scheduling.v1alpha1.PodGroup', 'A group of pods.', {
  name: templateNameField,
  policy: f.struct(3, PodGroupPolicyV1Alpha1, {
    doc: 'How pods of the group are scheduled.',
    presence: 'always',
    openapiRequired: true,
  }),
});

const WorkloadSpec = struct(
  'scheduling.v1alpha1.WorkloadSpec',
  'Groups of pods.',
  {
    controllerRef: controllerRefField,
    podGroups: f.list(2, PodGroup, {
      doc: 'The groups; they cannot change.',
      presence: 'always',
      required: true,
      immutable: true,
      ...templates,
    }),
  },
  { checks: [uniqueItems('podGroups', 'name')] },
);

export const WorkloadV1Alpha1 = workloadOf('v1alpha1', WorkloadSpec);

export const workloadLensV1Alpha1 = lossless(
  chain(
    within('spec.podGroups[]', move('policy', 'schedulingPolicy')),
    move('spec.podGroups', 'spec.podGroupTemplates'),
  ),
  { hub: Workload, older: WorkloadV1Alpha1 },
);
