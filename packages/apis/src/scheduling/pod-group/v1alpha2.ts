import { chain, f, lossless, move, struct, within } from '@orch/schema';
import { exactlyOneOf, uniqueItems } from '../../validation-rules.ts';
import {
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicyV1Alpha2,
  resourceClaimsField,
  topologyAware,
} from '../shared/policy.ts';
import { disruptionFields, modeLens } from '../shared/v1alpha2.ts';
import { PodGroup, podGroupOf } from './v1beta1.ts';

const WorkloadPodGroupTemplateReference = struct(
  'scheduling.v1alpha2.WorkloadPodGroupTemplateReference',
  'A template of a workload.',
  {
    workloadName: f.string(1, {
      doc: 'Name of the workload.',
      presence: 'always',
      required: true,
      format: 'dns1123subdomain',
    }),
    podGroupTemplateName: f.string(2, {
      doc: 'Name of the template in the workload.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
  },
);

const PodGroupTemplateReference = struct(
  'scheduling.v1alpha2.PodGroupTemplateReference',
  'The template from which a group was created.',
  {
    workload: f.struct(1, WorkloadPodGroupTemplateReference, {
      doc: 'The workload and the name of the template.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
    }),
  },
  { checks: [exactlyOneOf('workload')] },
);

const PodGroupSpec = struct(
  'scheduling.v1alpha2.PodGroupSpec',
  'The policies of a group, mostly copied from a template.',
  {
    podGroupTemplateRef: f.struct(1, PodGroupTemplateReference, {
      doc: 'The template that the group was created from.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
      immutable: true,
    }),
    schedulingPolicy: f.struct(2, PodGroupSchedulingPolicyV1Alpha2, {
      doc: 'How pods of the group are scheduled.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
    schedulingConstraints: f.struct(3, PodGroupSchedulingConstraints, {
      doc: 'Where pods of the group are placed.',
      presence: 'pointer',
      immutable: true,
      ...topologyAware,
    }),
    resourceClaims: resourceClaimsField(4),
    ...disruptionFields({ hasDefault: true, immutable: true }),
  },
  { checks: [uniqueItems('resourceClaims', 'name')] },
);

export const PodGroupV1Alpha2 = podGroupOf('v1alpha2', PodGroupSpec);

export const podGroupLensV1Alpha2 = lossless(
  chain(
    move('spec.podGroupTemplateRef.workload.workloadName', 'spec.workloadRef.workloadName'),
    move('spec.podGroupTemplateRef.workload.podGroupTemplateName', 'spec.workloadRef.templateName'),
    within('spec', modeLens),
  ),
  { hub: PodGroup, older: PodGroupV1Alpha2 },
);
