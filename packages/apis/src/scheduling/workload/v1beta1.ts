import { f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { exactlyOneOf, uniqueItems } from '../../validation-rules.ts';
import {
  CompositePodGroupSchedulingConstraints,
  CompositePodGroupSchedulingPolicy,
  composite,
  compositeDisruptionModeField,
  disruptionModeField,
  MAX_TEMPLATES,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
  priorityFields,
  resourceClaimsField,
  topologyAware,
} from '../shared/policy.ts';
import { checkFixedTemplates, checkTemplates } from './validation.ts';

const TypedLocalObjectReference = struct(
  'scheduling.v1beta1.TypedLocalObjectReference',
  'An object in the same namespace.',
  {
    apiGroup: f.string(1, {
      doc: 'Group of the object; empty for the core group.',
      format: 'dns1123subdomain',
    }),
    kind: f.string(2, {
      doc: 'Kind of the object.',
      presence: 'always',
      required: true,
      format: 'pathSegment',
    }),
    name: f.string(3, {
      doc: 'Name of the object.',
      presence: 'always',
      required: true,
      format: 'pathSegment',
    }),
  },
);

export const controllerRefField = f.struct(1, TypedLocalObjectReference, {
  doc: 'The object that the workload belongs to, such as a Job; for tools.',
  presence: 'pointer',
  immutable: true,
});

export const templateNameField = f.string(1, {
  doc: 'Name of the template, which no other template of the workload has.',
  presence: 'always',
  required: true,
  format: 'dns1123label',
});

const PodGroupTemplate = struct(
  'scheduling.v1beta1.PodGroupTemplate',
  'Template of a group of pods.',
  {
    name: templateNameField,
    schedulingPolicy: f.struct(2, PodGroupSchedulingPolicy, {
      doc: 'How pods of the group are scheduled.',
      presence: 'always',
      openapiRequired: true,
    }),
    schedulingConstraints: f.struct(3, PodGroupSchedulingConstraints, {
      doc: 'Where pods of the group are placed.',
      presence: 'always',
      nullable: true,
      openapiRequired: false,
      immutable: true,
      ...topologyAware,
    }),
    resourceClaims: resourceClaimsField(4),
    disruptionMode: disruptionModeField(5, { hasDefault: false }),
    ...priorityFields(6, { hasDefault: false }),
  },
  { checks: [uniqueItems('resourceClaims', 'name')] },
);

/** The options of lists of templates, in all versions. */
export const templates = {
  listType: 'map',
  mapKeys: ['name'],
  maxItems: MAX_TEMPLATES,
} as const;

/** The rules of lists of templates. */
const templateRules = [
  uniqueItems('podGroupTemplates', 'name'),
  uniqueItems('compositePodGroupTemplates', 'name'),
  checkFixedTemplates,
];

const CompositePodGroupTemplate: StructSchema = struct(
  'scheduling.v1beta1.CompositePodGroupTemplate',
  'Template of a group of groups.',
  {
    name: templateNameField,
    schedulingPolicy: f.struct(2, CompositePodGroupSchedulingPolicy, {
      doc: 'How the groups are scheduled.',
      presence: 'always',
      openapiRequired: true,
    }),
    schedulingConstraints: f.struct(3, CompositePodGroupSchedulingConstraints, {
      doc: 'Where pods of the groups are placed.',
      presence: 'pointer',
      immutable: true,
    }),
    disruptionMode: compositeDisruptionModeField(4, { hasDefault: false }),
    ...priorityFields(5, { hasDefault: false }),
    podGroupTemplates: f.list(8, PodGroupTemplate, { doc: 'Groups of pods in this group.', ...templates }),
    compositePodGroupTemplates: f.list(9, () => CompositePodGroupTemplate, {
      doc: 'Groups of groups in this group.',
      ...templates,
    }),
  },
  { checks: [...templateRules] },
);

const WorkloadSpec = struct(
  'scheduling.v1beta1.WorkloadSpec',
  'Templates of groups of pods.',
  {
    controllerRef: controllerRefField,
    podGroupTemplates: f.list(2, PodGroupTemplate, {
      doc: 'Templates of groups of pods.',
      presence: 'always',
      openapiRequired: false,
      ...templates,
    }),
    compositePodGroupTemplates: f.list(3, CompositePodGroupTemplate, {
      doc: 'Templates of groups of groups.',
      ...templates,
      ...composite,
    }),
  },
  {
    checks: [
      ...templateRules,
      exactlyOneOf('podGroupTemplates', 'compositePodGroupTemplates'),
      checkTemplates,
    ],
  },
);

/** The kind in one version. */
export const workloadOf = (version: string, spec: StructSchema): StructSchema =>
  struct(
    `scheduling.${version}.Workload`,
    'The groups of pods of an application, for the scheduler.',
    {
      metadata: metadataField,
      spec: f.struct(2, spec, {
        doc: 'Desired state of the object.',
        presence: 'always',
        openapiRequired: true,
      }),
    },
    { typeMeta: true },
  );

export const Workload = workloadOf('v1beta1', WorkloadSpec);
