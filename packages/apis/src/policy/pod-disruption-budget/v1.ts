import { f, items, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { checkDisruptionBounds } from './validation.ts';

/** The versions differ in the meaning of an empty selector, and in how patches treat selectors. */
export const podDisruptionBudgetSpec = (
  version: string,
  selectorDoc: string,
  patch: { readonly patchStrategy?: string } = {},
): StructSchema =>
  struct(
    `policy.${version}.PodDisruptionBudgetSpec`,
    'The pods that the budget covers, and how many of them must remain available.',
    {
      minAvailable: f.intOrString(1, {
        doc: 'How many pods, or what percentage, must stay available. Not together with maxUnavailable.',
        presence: 'pointer',
      }),
      selector: f.struct(2, LabelSelector, { doc: selectorDoc, presence: 'pointer', ...patch }),
      maxUnavailable: f.intOrString(3, {
        doc: 'How many pods, or what percentage, may be unavailable. Not together with minAvailable.',
        presence: 'pointer',
      }),
      unhealthyPodEvictionPolicy: f.string(4, {
        doc: 'Whether pods that run but are not ready may be evicted: IfHealthyBudget, when there are enough others, or AlwaysAllow.',
        presence: 'pointer',
        since: '1.27',
        gate: 'PDBUnhealthyPodEvictionPolicy',
        enum: ['AlwaysAllow', 'IfHealthyBudget'],
        emptyIsInvalid: true,
        openapiEnum: { since: '1.27' },
      }),
    },
    { checks: [checkDisruptionBounds] },
  );

/** The counts of `v1` must not be negative; those of `v1beta1` were never validated. */
export function podDisruptionBudgetStatus(version: string): StructSchema {
  const unrequired = { openapiRequired: { since: '1.36', is: false } } as const;
  const atLeast = version === 'v1' ? { min: 0 } : {};
  return struct(
    `policy.${version}.PodDisruptionBudgetStatus`,
    'How many of the covered pods may currently be evicted.',
    {
      observedGeneration: f.int64(1, { doc: 'Generation that the controller has observed.' }),
      disruptedPods: f.map(2, items.time, {
        doc: 'Pods whose eviction was granted, with the time, until the controller has observed their deletion.',
      }),
      disruptionsAllowed: f.int32(3, {
        doc: 'Pods that may be evicted now.',
        presence: 'always',
        ...unrequired,
        ...atLeast,
      }),
      currentHealthy: f.int32(4, {
        doc: 'Pods that are healthy.',
        presence: 'always',
        ...unrequired,
        ...atLeast,
      }),
      desiredHealthy: f.int32(5, {
        doc: 'Pods that have to be healthy.',
        presence: 'always',
        ...unrequired,
        ...atLeast,
      }),
      expectedPods: f.int32(6, {
        doc: 'Pods that the budget covers.',
        presence: 'always',
        ...unrequired,
        ...atLeast,
      }),
      conditions: f.list(7, Condition, {
        doc: 'Observations about the object, one entry per type.',
        listType: 'map',
        mapKeys: ['type'],
        patchStrategy: 'merge',
        patchMergeKey: 'type',
        uniqueBy: 'type',
        since: '1.21',
      }),
    },
  );
}

export const podDisruptionBudgetKind = (
  version: string,
  spec: StructSchema,
  status: StructSchema,
): StructSchema =>
  struct(
    `policy.${version}.PodDisruptionBudget`,
    'Bounds how many pods of a set may be evicted at the same time.',
    {
      metadata: metadataField,
      spec: specField(spec),
      status: statusField(status),
    },
    { typeMeta: true },
  );

export const PodDisruptionBudgetSpec = podDisruptionBudgetSpec(
  'v1',
  'Labels of the covered pods. An empty selector covers all pods of the namespace, an absent one none.',
  { patchStrategy: 'replace' },
);

export const PodDisruptionBudgetStatus = podDisruptionBudgetStatus('v1');

export const PodDisruptionBudget = podDisruptionBudgetKind(
  'v1',
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
);
