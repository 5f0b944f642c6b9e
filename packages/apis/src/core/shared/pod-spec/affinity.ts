import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { NodeSelector, NodeSelectorTerm } from '../selectors.ts';
import { checkAffinityTerm, checkRequiredNodes } from './validation/topology.ts';

export const PreferredSchedulingTerm = struct(
  'core.v1.PreferredSchedulingTerm',
  'A preference for nodes, with its weight.',
  {
    weight: f.int32(1, {
      doc: 'From 1 to 100; the weights of satisfied preferences are added.',
      presence: 'always',
      min: 1,
      max: 100,
    }),
    preference: f.struct(2, NodeSelectorTerm, {
      doc: 'The preferred nodes.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const NodeAffinity = struct(
  'core.v1.NodeAffinity',
  'Required and preferred nodes of a pod.',
  {
    requiredDuringSchedulingIgnoredDuringExecution: f.struct(1, NodeSelector, {
      doc: 'Eligible nodes. Not evaluated again once the pod runs.',
      presence: 'pointer',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: f.list(2, PreferredSchedulingTerm, {
      doc: 'Preferred nodes, by weight.',
    }),
  },
  { checks: [checkRequiredNodes] },
);

export const PodAffinityTerm = struct(
  'core.v1.PodAffinityTerm',
  'Pods near which, or apart from which, a pod runs, and the topology that defines nearness.',
  {
    labelSelector: f.struct(1, LabelSelector, { doc: 'Labels of those pods.', presence: 'pointer' }),
    namespaces: f.list(2, items.string, { doc: 'Namespaces of those pods; that of this pod when empty.' }),
    topologyKey: f.string(3, {
      doc: 'Node label whose value is the same for nodes that are near each other.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
      emptyIsInvalid: true,
    }),
    namespaceSelector: f.struct(4, LabelSelector, {
      doc: 'Labels of the namespaces of those pods.',
      presence: 'pointer',
      since: '1.22',
      gate: 'PodAffinityNamespaceSelector',
    }),

    matchLabelKeys: f.list(5, items.string, {
      doc: 'Labels of this pod whose values those pods must have, too.',
      listType: 'atomic',
      since: '1.31',
      gate: 'MatchLabelKeysInPodAffinity',
    }),
    mismatchLabelKeys: f.list(6, items.string, {
      doc: 'Labels of this pod whose values those pods must not have.',
      listType: 'atomic',
      since: '1.31',
      gate: 'MatchLabelKeysInPodAffinity',
    }),
  },
  { checks: [checkAffinityTerm] },
);

export const WeightedPodAffinityTerm = struct(
  'core.v1.WeightedPodAffinityTerm',
  'A preference for other pods, with its weight.',
  {
    weight: f.int32(1, {
      doc: 'From 1 to 100; the weights of satisfied preferences are added.',
      presence: 'always',
      min: 1,
      max: 100,
    }),
    podAffinityTerm: f.struct(2, PodAffinityTerm, {
      doc: 'The other pods.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const PodAffinity = struct('core.v1.PodAffinity', 'Pods near which a pod must or should run.', {
  requiredDuringSchedulingIgnoredDuringExecution: f.list(1, PodAffinityTerm, {
    doc: 'Must hold at scheduling time.',
  }),
  preferredDuringSchedulingIgnoredDuringExecution: f.list(2, WeightedPodAffinityTerm, {
    doc: 'Should hold at scheduling time.',
  }),
});

export const PodAntiAffinity = struct(
  'core.v1.PodAntiAffinity',
  'Pods near which a pod must not or should not run.',
  {
    requiredDuringSchedulingIgnoredDuringExecution: f.list(1, PodAffinityTerm, {
      doc: 'Must hold at scheduling time.',
    }),
    preferredDuringSchedulingIgnoredDuringExecution: f.list(2, WeightedPodAffinityTerm, {
      doc: 'Should hold at scheduling time.',
    }),
  },
);

export const Affinity = struct('core.v1.Affinity', 'Where a pod may and should run.', {
  nodeAffinity: f.struct(1, NodeAffinity, { doc: 'Affinity to nodes.', presence: 'pointer' }),
  podAffinity: f.struct(2, PodAffinity, { doc: 'Affinity to other pods.', presence: 'pointer' }),
  podAntiAffinity: f.struct(3, PodAntiAffinity, { doc: 'Anti-affinity to other pods.', presence: 'pointer' }),
});
