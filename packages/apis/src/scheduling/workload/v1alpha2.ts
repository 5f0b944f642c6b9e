import { f, lossless, struct, within } from '@orch/schema';
import { uniqueItems } from '../../validation-rules.ts';
import {
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicyV1Alpha2,
  resourceClaimsField,
  topologyAware,
} from '../shared/policy.ts';
import { disruptionFields, modeLens } from '../shared/v1alpha2.ts';
import { controllerRefField, templateNameField, templates, Workload, workloadOf } from './v1beta1.ts';

const PodGroupTemplate = struct(
  'scheduling.v1alpha2.PodGroupTemplate',
  'Template of a group of pods.',
  {
    name: templateNameField,
    schedulingPolicy: f.struct(2, PodGroupSchedulingPolicyV1Alpha2, {
      doc: 'How pods of the group are scheduled.',
      presence: 'always',
      openapiRequired: true,
    }),
    schedulingConstraints: f.struct(3, PodGroupSchedulingConstraints, {
      doc: 'Where pods of the group are placed.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
      ...topologyAware,
    }),
    resourceClaims: resourceClaimsField(4),
    ...disruptionFields({ hasDefault: false, immutable: false }),
  },
  { checks: [uniqueItems('resourceClaims', 'name')] },
);

const WorkloadSpec = struct(
  'scheduling.v1alpha2.WorkloadSpec',
  'Templates of groups of pods.',
  {
    controllerRef: controllerRefField,
    podGroupTemplates: f.list(2, PodGroupTemplate, {
      doc: 'Templates of groups of pods; they cannot change.',
      presence: 'always',
      required: true,
      immutable: true,
      ...templates,
    }),
  },
  { checks: [uniqueItems('podGroupTemplates', 'name')] },
);

export const WorkloadV1Alpha2 = workloadOf('v1alpha2', WorkloadSpec);

export const workloadLensV1Alpha2 = lossless(within('spec.podGroupTemplates[]', modeLens), {
  hub: Workload,
  older: WorkloadV1Alpha2,
});
