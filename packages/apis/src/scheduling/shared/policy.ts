import { f, type StructSchema, struct } from '@orch/schema';
import { exactlyOneOf, fixedMembers } from '../../validation-rules.ts';

export const HIGHEST_PRIORITY = 1_000_000_000;
export const MAX_TEMPLATES = 8;
const MAX_CLAIMS = 4;

export const topologyAware = { gate: 'TopologyAwareWorkloadScheduling', since: 'never' } as const;
export const claiming = { gate: 'DRAWorkloadResourceClaims', since: 'never' } as const;
export const composite = { gate: 'CompositePodGroup', since: 'never' } as const;
const preempting = { gate: 'PodGroupPreemptionPolicy', since: 'never' } as const;

const empty = (name: string, doc: string): StructSchema => struct(`scheduling.v1beta1.${name}`, doc, {});

const GangSchedulingPolicy = struct(
  'scheduling.v1beta1.GangSchedulingPolicy',
  'Pods are placed on nodes together, or not at all.',
  {
    minCount: f.int32(1, {
      doc: 'Number of pods that must be placeable at the same time.',
      presence: 'always',
      required: true,
      min: 1,
    }),
  },
);

const basicPolicy = f.struct(1, empty('BasicSchedulingPolicy', 'Pods are scheduled one by one.'), {
  doc: 'Each pod is scheduled on its own.',
  presence: 'pointer',
});
const gangPolicy = f.struct(2, GangSchedulingPolicy, {
  doc: 'All of a minimum of pods are scheduled, or none.',
  presence: 'pointer',
});
const onePolicy = exactlyOneOf('basic', 'gang');

export const PodGroupSchedulingPolicy = struct(
  'scheduling.v1beta1.PodGroupSchedulingPolicy',
  'How the pods of a group are scheduled: exactly one policy, which cannot be exchanged later.',
  { basic: { ...basicPolicy, immutable: true }, gang: gangPolicy },
  { checks: [fixedMembers('gang'), onePolicy] },
);

/** The policy in a spec that cannot change at all. */
export const PodGroupSchedulingPolicyV1Alpha2 = struct(
  'scheduling.v1alpha2.PodGroupSchedulingPolicy',
  'How the pods of a group are scheduled: exactly one policy.',
  { basic: basicPolicy, gang: gangPolicy },
  { checks: [onePolicy] },
);

export const PodGroupPolicyV1Alpha1 = struct(
  'scheduling.v1alpha1.PodGroupPolicy',
  'How the pods of a group are scheduled: exactly one policy.',
  { basic: { ...basicPolicy, num: 2 }, gang: { ...gangPolicy, num: 3 } },
  { checks: [onePolicy] },
);

const CompositeGangSchedulingPolicy = struct(
  'scheduling.v1beta1.CompositeGangSchedulingPolicy',
  'Groups are placed on nodes together, or not at all.',
  {
    minGroupCount: f.int32(1, {
      doc: 'Number of groups that must be placeable at the same time.',
      presence: 'always',
      required: true,
      min: 1,
    }),
  },
);

export const CompositePodGroupSchedulingPolicy = struct(
  'scheduling.v1beta1.CompositePodGroupSchedulingPolicy',
  'How the groups of a composite group are scheduled: exactly one policy.',
  {
    basic: f.struct(1, empty('CompositeBasicSchedulingPolicy', 'Groups are scheduled one by one.'), {
      doc: 'Each group is scheduled on its own.',
      presence: 'pointer',
      immutable: true,
    }),
    gang: f.struct(2, CompositeGangSchedulingPolicy, {
      doc: 'All of a minimum of groups are scheduled, or none.',
      presence: 'pointer',
    }),
  },
  { checks: [fixedMembers('gang'), exactlyOneOf('basic', 'gang')] },
);

/** Jobs refer to it by this name; groups publish it under the version that serves them. */
const TopologyConstraint = struct(
  'scheduling.v1alpha3.TopologyConstraint',
  'A domain of nodes that the pods share.',
  {
    key: f.string(1, {
      doc: 'Label of nodes whose value identifies the domain, such as that of a rack.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
  },
);

const constraintsOf = (name: string): StructSchema =>
  struct(`scheduling.${name}`, 'Where pods are placed relative to each other.', {
    topology: f.list(1, TopologyConstraint, {
      doc: 'Domains that all pods share; at most one for now.',
      listType: 'atomic',
      maxItems: 1,
    }),
  });

export const PodGroupSchedulingConstraints = constraintsOf('v1beta1.PodGroupSchedulingConstraints');
export const CompositePodGroupSchedulingConstraints = constraintsOf(
  'v1beta1.CompositePodGroupSchedulingConstraints',
);
/** The constraints of a workload in the spec of its own kind. */
export const WorkloadSchedulingConstraints = constraintsOf('v1alpha3.WorkloadPodGroupSchedulingConstraints');

const claimOf = (name: string): StructSchema =>
  struct(
    `scheduling.${name}`,
    'A claim on devices that the pods of a group share: an existing one, or one that is created from a template.',
    {
      name: f.string(1, {
        doc: 'Name of the claim among those of the group; the claims of its pods refer to it.',
        presence: 'always',
        required: true,
        format: 'dns1123label',
      }),
      resourceClaimName: f.string(2, {
        doc: 'Name of an existing claim in the namespace.',
        presence: 'pointer',
        format: 'dns1123subdomain',
      }),
      resourceClaimTemplateName: f.string(3, {
        doc: 'Name of a template in the namespace, from which the claim is created; it is deleted with the group.',
        presence: 'pointer',
        format: 'dns1123subdomain',
      }),
    },
    { checks: [exactlyOneOf('resourceClaimName', 'resourceClaimTemplateName')] },
  );

const PodGroupResourceClaim = claimOf('v1beta1.PodGroupResourceClaim');

/** Claims that are identified by their names. */
const claimList = {
  listType: 'map',
  mapKeys: ['name'],
  patchMergeKey: 'name',
  maxItems: MAX_CLAIMS,
  immutable: true,
} as const;

/** The claims of a workload in the spec of its own kind. */
export const workloadClaimsField = (num: number) =>
  f.list(num, claimOf('v1alpha3.WorkloadPodGroupResourceClaim'), {
    ...claimList,
    doc: 'Claims on devices that the pods share.',
    patchStrategy: 'merge',
  });

export const resourceClaimsField = (num: number) =>
  f.list(num, PodGroupResourceClaim, {
    ...claimList,
    doc: 'Claims on devices that pods of the group share.',
    patchStrategy: 'merge,retainKeys',
    ...claiming,
  });

export const PodGroupResourceClaimStatus = struct(
  'scheduling.v1beta1.PodGroupResourceClaimStatus',
  'The claim that was created for an entry of the group.',
  {
    name: f.string(1, { doc: 'Name of the entry in the spec.', presence: 'always' }),
    resourceClaimName: f.string(2, {
      doc: 'Name of the claim; absent when none was needed.',
      presence: 'pointer',
      format: 'dns1123subdomain',
    }),
  },
);

export const resourceClaimStatusesField = f.list(2, PodGroupResourceClaimStatus, {
  doc: 'Claims that were created from templates.',
  listType: 'map',
  mapKeys: ['name'],
  patchStrategy: 'merge,retainKeys',
  patchMergeKey: 'name',
  maxItems: MAX_CLAIMS,
  ...claiming,
});

const modeOf = (prefix: string, what: string): StructSchema =>
  struct(
    `scheduling.v1beta1.${prefix}DisruptionMode`,
    `Whether ${what} are disrupted one by one or together: exactly one of the modes.`,
    {
      single: f.struct(1, empty(`Single${prefix}DisruptionMode`, `${what} are disrupted one by one.`), {
        doc: 'Each is disrupted on its own.',
        presence: 'pointer',
      }),
      all: f.struct(2, empty(`All${prefix}DisruptionMode`, `${what} are disrupted together.`), {
        doc: 'All are disrupted together.',
        presence: 'pointer',
      }),
    },
    { checks: [exactlyOneOf('single', 'all')] },
  );

const DisruptionMode = modeOf('', 'Pods');
const CompositeDisruptionMode = modeOf('Composite', 'Groups');

const single = { default: { single: {} } } as const;

export const disruptionModeField = (num: number, { hasDefault }: { readonly hasDefault: boolean }) =>
  f.struct(num, DisruptionMode, {
    doc: 'Whether the pods of the group are disrupted one by one or together.',
    presence: 'pointer',
    immutable: true,
    ...(hasDefault ? single : {}),
  });

export const compositeDisruptionModeField = (num: number, { hasDefault }: { readonly hasDefault: boolean }) =>
  f.struct(num, CompositeDisruptionMode, {
    doc: 'Whether the groups are disrupted one by one or together.',
    presence: 'pointer',
    immutable: true,
    ...(hasDefault ? single : {}),
  });

/** The three fields of priority, with consecutive numbers from `num` on. */
export const priorityFields = (num: number, options: { readonly hasDefault: boolean }) => ({
  priorityClassName: f.string(num, {
    doc: 'Priority class of the pods of the group.',
    format: 'dns1123subdomain',
    immutable: true,
  }),
  priority: f.int32(num + 1, {
    doc: 'Priority of the group; higher ones come first.',
    presence: 'pointer',
    max: HIGHEST_PRIORITY,
    immutable: true,
  }),
  preemptionPolicy: f.string(num + 2, {
    doc: 'Whether less important pods may be removed for the group: PreemptLowerPriority or Never.',
    presence: 'pointer',
    enum: ['Never', 'PreemptLowerPriority'],
    immutable: true,
    ...(options.hasDefault ? { default: 'PreemptLowerPriority' } : {}),
    ...preempting,
  }),
});

export const WorkloadReference = struct(
  'scheduling.v1beta1.WorkloadReference',
  'The template of a workload from which a group was created.',
  {
    workloadName: f.string(1, {
      doc: 'Name of the workload.',
      presence: 'always',
      required: true,
      format: 'dns1123subdomain',
    }),
    templateName: f.string(2, {
      doc: 'Name of the template in the workload.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
  },
);
