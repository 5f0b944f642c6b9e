import { f, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { uniqueItems } from '../../validation-rules.ts';
import {
  CompositePodGroupSchedulingConstraints,
  CompositePodGroupSchedulingPolicy,
  compositeDisruptionModeField,
  priorityFields,
  WorkloadReference,
} from '../shared/policy.ts';

const CompositePodGroupSpec = struct(
  'scheduling.v1alpha3.CompositePodGroupSpec',
  'The policies of a composite group, mostly copied from a template.',
  {
    parentCompositePodGroupName: f.string(1, {
      doc: 'Name of the composite group that this one belongs to; absent for a group at the root.',
      presence: 'pointer',
      format: 'dns1123subdomain',
      immutable: true,
    }),
    workloadRef: f.struct(2, WorkloadReference, {
      doc: 'The template that the group was created from.',
      presence: 'pointer',
      required: true,
      openapiRequired: true,
      immutable: true,
    }),
    schedulingPolicy: f.struct(3, CompositePodGroupSchedulingPolicy, {
      doc: 'How the groups are scheduled.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
    schedulingConstraints: f.struct(4, CompositePodGroupSchedulingConstraints, {
      doc: 'Where pods of the groups are placed.',
      presence: 'pointer',
      immutable: true,
    }),
    disruptionMode: compositeDisruptionModeField(5, { hasDefault: true }),
    ...priorityFields(6, { hasDefault: true }),
  },
);

const CompositePodGroupStatus = struct(
  'scheduling.v1alpha3.CompositePodGroupStatus',
  'What is known about the groups.',
  {
    conditions: f.list(1, Condition, {
      doc: 'Aspects of the state by type: CompositePodGroupInitiallyScheduled and DisruptionTarget.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
  { checks: [uniqueItems('conditions', 'type')] },
);

export const CompositePodGroup = struct(
  'scheduling.v1alpha3.CompositePodGroup',
  'A group of groups of pods that are scheduled by a common policy.',
  {
    metadata: metadataField,
    spec: f.struct(2, CompositePodGroupSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: statusField(CompositePodGroupStatus),
  },
  { typeMeta: true },
);
