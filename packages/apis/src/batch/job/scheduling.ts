import { f, type StructSchema, struct } from '@orch/schema';
import { WorkloadSchedulingConstraints, workloadClaimsField } from '../../scheduling/shared/policy.ts';
import { exactlyOneOf, fixedMembers } from '../../validation-rules.ts';

const empty = (name: string, doc: string): StructSchema =>
  struct(`scheduling.v1alpha3.WorkloadPodGroup${name}`, doc, {});

const GangPolicy = struct(
  'scheduling.v1alpha3.WorkloadPodGroupGangSchedulingPolicy',
  'Pods are placed on nodes together, or not at all.',
  {
    minCount: f.int32(1, {
      doc: 'Number of pods that must be placeable at the same time; by default all that may run at a time.',
      presence: 'pointer',
      min: 1,
    }),
  },
);

const Policy = struct(
  'scheduling.v1alpha3.WorkloadPodGroupSchedulingPolicy',
  'How pods are scheduled: exactly one policy, which cannot be exchanged later.',
  {
    basic: f.struct(1, empty('BasicSchedulingPolicy', 'Pods are scheduled one by one.'), {
      doc: 'Each pod is scheduled on its own.',
      presence: 'pointer',
    }),
    gang: f.struct(2, GangPolicy, {
      doc: 'All of a minimum of pods are scheduled, or none.',
      presence: 'pointer',
    }),
  },
  { checks: [exactlyOneOf('basic', 'gang')] },
);

const DisruptionMode = struct(
  'scheduling.v1alpha3.WorkloadPodGroupDisruptionMode',
  'Whether pods are disrupted one by one or together: exactly one of the modes.',
  {
    single: f.struct(1, empty('SingleDisruptionMode', 'Pods are disrupted one by one.'), {
      doc: 'Each is disrupted on its own.',
      presence: 'pointer',
    }),
    all: f.struct(2, empty('AllDisruptionMode', 'Pods are disrupted together.'), {
      doc: 'All are disrupted together.',
      presence: 'pointer',
    }),
  },
  { checks: [exactlyOneOf('single', 'all')] },
);

const JobSchedulingConfiguration = struct(
  'batch.v1.JobSchedulingConfiguration',
  'How the pods of a job are scheduled as one workload.',
  {
    schedulingPolicy: f.struct(1, Policy, {
      doc: 'Whether pods are scheduled one by one or together. Only the number of a gang can change.',
      presence: 'pointer',
    }),
    schedulingConstraints: f.struct(2, WorkloadSchedulingConstraints, {
      doc: 'Where the pods are placed relative to each other.',
      presence: 'pointer',
      immutable: true,
    }),
    disruptionMode: f.struct(3, DisruptionMode, {
      doc: 'Whether the pods are disrupted one by one or together.',
      presence: 'pointer',
      immutable: true,
    }),
    resourceClaims: workloadClaimsField(4),
  },
  { checks: [fixedMembers('schedulingPolicy')] },
);

export const schedulingField = f.struct(17, JobSchedulingConfiguration, {
  doc: 'How the pods are scheduled as one workload; one by one when absent. It is neither set nor cleared later.',
  presence: 'pointer',
  gate: 'WorkloadWithJob',
  since: 'never',
  gatedSince: '1.37',
});
