import type * as extensions from '@orch/kinds/extensions';
import type * as meta from '@orch/kinds/meta';
import { type Field, f, struct } from '@orch/schema';
import { PodTemplateSpec } from '../../core/shared/pod-spec/template.ts';
import { LabelSelector } from '../../meta/label-selector.ts';

/** Value for "no limit" in versions that write it. */
export const UNLIMITED = 2_147_483_647;

/** Fields of several workloads, each with a different number. */
export const replicasField = (num: number) =>
  f.int32(num, { doc: 'Desired number of pods.', presence: 'pointer', default: 1, min: 0 });

/** Selectors of current versions. The kind requires one; a missing selector shows as `null`. */
export const selectorField = (num: number) =>
  f.struct(num, LabelSelector, {
    doc: 'Selects the pods. It must match the labels of the template and cannot change later.',
    presence: 'always',
    nullable: true,
    openapiRequired: true,
  });

/** In older versions a workload without a selector selects the pods with the labels of its template. */
function templateSelector(spec: extensions.DaemonSetSpecV1beta1): meta.LabelSelector | undefined {
  const labels = spec.template?.metadata?.labels;
  return labels && { matchLabels: { ...labels } };
}

/** Selectors of older versions: absent ones are taken from the template. */
export const derivedSelectorField = (num: number) =>
  f.struct(num, LabelSelector, {
    doc: 'Selects the pods; those with the labels of the template when absent.',
    presence: 'pointer',
    default: templateSelector,
  });

export const templateField = (
  num: number,
  options: Pick<Field, 'validatedSince' | 'toleratesOldErrors' | 'validatedIf'> = {},
) =>
  f.struct(num, PodTemplateSpec, {
    doc: 'Template of the pods.',
    presence: 'always',
    openapiRequired: true,
    ...options,
  });

export const minReadySecondsField = (num: number, options: { since?: string; gate?: string } = {}) =>
  f.int32(num, {
    doc: 'Seconds a new pod must be ready before it counts as available.',
    min: 0,
    ...options,
  });

/** For compatibility, stateful sets accept any number. */
export const revisionHistoryField = (num: number, limit: number, bound: { min?: number } = { min: 0 }) =>
  f.int32(num, {
    doc: 'Number of earlier revisions that are kept for rollbacks.',
    presence: 'pointer',
    default: limit,
    ...bound,
  });

export const collisionCountField = (num: number) =>
  f.int32(num, {
    doc: 'How often the name for a new revision was already taken.',
    presence: 'pointer',
    min: 0,
  });

export const observedGenerationField = (num: number) =>
  f.int64(num, { doc: 'Generation that the controller has observed.', min: 0 });

export const conditionsField = (num: number, condition: ReturnType<typeof workloadCondition>) =>
  f.list(num, condition, {
    doc: 'Observations about the object, one entry per type.',
    patchStrategy: 'merge',
    patchMergeKey: 'type',
  });

/** Documents of later releases do not require the type and status of a condition. */
export const unrequired = { openapiRequired: { since: '1.37', is: false } } as const;

/** The field of an aspect of a workload; the same for all but Deployments. */
export const workloadCondition = (kind: string, typeDoc: string) =>
  struct(`apps.v1.${kind}Condition`, `One aspect of the state of a ${kind}.`, {
    type: f.string(1, { doc: typeDoc, presence: 'always', ...unrequired }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always', ...unrequired }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
  });
