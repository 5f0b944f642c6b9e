import type { Pod, PodAffinity, PodAffinityTerm, PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { LabelSelector, LabelSelectorRequirement } from '@orch/kinds/meta';
import { errors } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { StrategyContext } from '../../resource-type.ts';
import { completePodResources } from '../shared/pod-spec/pod-resources.ts';
import { nameProfiles, profileOfAnnotation } from '../shared/pod-spec/profiles.ts';
import { appArmorWarning } from '../shared/pod-spec/warnings/containers.ts';

/** The most conditions that are added to a pod: without a limit, a request could repeat all labels in all of its terms. */
const MAX_CONDITIONS = 10_000;

/** The labels of a pod, and how many conditions with them may still be added. */
interface Labels {
  readonly values: Readonly<Record<string, string>>;
  left: number;
}

type Selecting = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

/** A condition for each key that the pod has a label of. */
const conditionsOf = (
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Labels,
): readonly LabelSelectorRequirement[] =>
  (keys ?? []).flatMap((key) => {
    const value = Object.hasOwn(labels.values, key) ? labels.values[key] : undefined;
    if (value === undefined) return [];
    if (--labels.left < 0) throw errors.objectTooLarge('the terms of the pod name too many labels');
    return [{ key, operator, values: [value] }];
  });

/** The selector with the values of the labels of the pod; undefined when nothing is added. */
function selectorOf(term: Selecting, labels: Labels): LabelSelector | undefined {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = term;
  if (labelSelector === undefined) return undefined;
  const added = [
    ...conditionsOf(matchLabelKeys, 'In', labels),
    ...conditionsOf(mismatchLabelKeys, 'NotIn', labels),
  ];
  if (added.length === 0) return undefined;
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added] };
}

function merge(term: Draft<Selecting> | undefined, labels: Labels): void {
  const selector = term === undefined ? undefined : selectorOf(term, labels);
  if (term !== undefined && selector !== undefined) term.labelSelector = selector;
}

function mergeAffinity(affinity: Draft<PodAffinity> | undefined, labels: Labels): void {
  for (const term of affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) merge(term, labels);
  for (const { podAffinityTerm } of affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
    merge(podAffinityTerm, labels);
}

/** Adds the labels of a new pod to its selectors, where these name their keys. */
function mergeLabelKeys(pod: Draft<Pod>, { since }: StrategyContext): void {
  const { affinity, topologySpreadConstraints = [] }: Draft<PodSpec> = pod.spec ?? {};
  const labels = { values: pod.metadata.labels ?? {}, left: MAX_CONDITIONS };
  mergeAffinity(affinity?.podAffinity, labels);
  mergeAffinity(affinity?.podAntiAffinity, labels);
  if (!since('1.34', 'MatchLabelKeysInPodTopologySpreadSelectorMerge')) return;
  for (const constraint of topologySpreadConstraints) merge(constraint, labels);
}

/** Tells that a new pod with gates is not placed on a node yet. */
function addGatedCondition(pod: Draft<Pod>, { now }: StrategyContext): void {
  if ((pod.spec?.schedulingGates ?? []).length === 0) return;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'The pod has gates that must be removed before it is scheduled.',
  };
  pod.status = { ...pod.status, conditions: [condition] };
}

/** Containers get the AppArmor profiles that annotations name for them, unless the whole pod has the same one. */
function copyAppArmorProfiles(pod: Draft<Pod>, context: StrategyContext): void {
  const { metadata, spec = {} } = pod;
  const { annotations = {} } = metadata;
  const { apparmorContainerPrefix } = context.names.annotations;
  if (spec.os?.name === 'windows' || !nameProfiles(annotations, context.names)) return;
  for (const list of ['initContainers', 'containers'] as const) {
    for (const container of spec[list] ?? []) {
      const key = `${apparmorContainerPrefix}${container.name}`;
      const value = annotations[key];
      if (value === undefined || container.securityContext?.appArmorProfile !== undefined) continue;
      const profile = profileOfAnnotation(value);
      const ofPod = spec.securityContext?.appArmorProfile;
      if (profile !== undefined && ofPod !== undefined && jsonEquals(profile, ofPod)) continue;
      context.warn?.(appArmorWarning('', key));
      if (profile === undefined) continue;
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    }
  }
}

/** Completes a new pod by what releases from 1.30 on derive from its labels, gates and annotations. */
export function completePod(pod: Draft<Pod>, context: StrategyContext): void {
  mergeLabelKeys(pod, context);
  if (!context.since('1.30')) return;
  addGatedCondition(pod, context);
  if (context.since('1.30', 'AppArmorFields')) copyAppArmorProfiles(pod, context);
  const { spec } = pod;
  if (spec?.resources === undefined || !context.since('1.37', 'PodLevelResourcesFixDefaulting')) return;
  completePodResources(spec);
}
