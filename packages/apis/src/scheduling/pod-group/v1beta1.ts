import type { PodGroupV1beta1 as Group } from '@orch/kinds/scheduling';
import { fieldError } from '@orch/machinery';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { uniqueItems } from '../../validation-rules.ts';
import {
  composite,
  disruptionModeField,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
  priorityFields,
  resourceClaimStatusesField,
  resourceClaimsField,
  topologyAware,
  WorkloadReference,
} from '../shared/policy.ts';

const checkParent: Check<NonNullable<Group['spec']>> = (
  { parentCompositePodGroupName, workloadRef },
  { path },
) =>
  parentCompositePodGroupName === undefined || workloadRef !== undefined
    ? []
    : [fieldError.required(`${path}.workloadRef`, 'must be set when parentCompositePodGroupName is set')];

const PodGroupSpec = struct(
  'scheduling.v1beta1.PodGroupSpec',
  'The policies of a group, mostly copied from a template.',
  {
    parentCompositePodGroupName: f.string(1, {
      doc: 'Name of the composite group that this one belongs to; absent for a group at the root.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      immutable: true,
      ...composite,
    }),
    workloadRef: f.struct(2, WorkloadReference, {
      doc: 'The template that the group was created from.',
      presence: 'pointer',
      immutable: true,
    }),
    schedulingPolicy: f.struct(3, PodGroupSchedulingPolicy, {
      doc: 'How pods of the group are scheduled.',
      presence: 'always',
      openapiRequired: true,
    }),
    schedulingConstraints: f.struct(4, PodGroupSchedulingConstraints, {
      doc: 'Where pods of the group are placed.',
      presence: 'pointer',
      immutable: true,
      ...topologyAware,
    }),
    resourceClaims: resourceClaimsField(5),
    disruptionMode: disruptionModeField(6, { hasDefault: true }),
    ...priorityFields(7, { hasDefault: true }),
  },
  { checks: [checkParent, uniqueItems('resourceClaims', 'name')] },
);

const PodGroupStatus = struct(
  'scheduling.v1beta1.PodGroupStatus',
  'What is known about the group.',
  {
    conditions: f.list(1, Condition, {
      doc: 'Aspects of the state by type: PodGroupInitiallyScheduled and DisruptionTarget.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
    resourceClaimStatuses: resourceClaimStatusesField,
  },
  { checks: [uniqueItems('conditions', 'type'), uniqueItems('resourceClaimStatuses', 'name')] },
);

/** The kind in one version. */
export const podGroupOf = (version: string, spec: StructSchema): StructSchema =>
  struct(
    `scheduling.${version}.PodGroup`,
    'A group of pods that are scheduled by a common policy.',
    {
      metadata: metadataField,
      spec: f.struct(2, spec, {
        doc: 'Desired state of the object.',
        presence: 'always',
        openapiRequired: true,
      }),
      status: statusField(PodGroupStatus),
    },
    { typeMeta: true },
  );

export const PodGroup = podGroupOf('v1beta1', PodGroupSpec);
