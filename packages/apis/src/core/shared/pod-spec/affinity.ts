import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { NodeSelector, NodeSelectorTerm } from '../selectors.ts';

export const PreferredSchedulingTerm = struct(
  'core.v1.PreferredSchedulingTerm',
  'A wish about nodes, with its weight.',
  {
    weight: f.int32(1, {
      doc: 'From 1 to 100; the weights of fulfilled wishes add up.',
      presence: 'always',
      min: 1,
      max: 100,
    }),
    preference: f.struct(2, NodeSelectorTerm, {
      doc: 'Nodes that are liked.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const NodeAffinity = struct('core.v1.NodeAffinity', 'Which nodes a pod needs or likes.', {
  requiredDuringSchedulingIgnoredDuringExecution: f.struct(1, NodeSelector, {
    doc: 'Nodes that come into question. Not looked at again once the pod runs.',
    presence: 'pointer',
  }),
  preferredDuringSchedulingIgnoredDuringExecution: f.list(2, PreferredSchedulingTerm, {
    doc: 'Nodes that are liked, most weight first served.',
  }),
});

export const PodAffinityTerm = struct(
  'core.v1.PodAffinityTerm',
  'Pods to be near to, or away from, and what near means.',
  {
    labelSelector: f.struct(1, LabelSelector, { doc: 'Labels of those pods.', presence: 'pointer' }),
    namespaces: f.list(2, items.string, {
      doc: 'Namespaces of those pods; that of this pod when nothing is said.',
      format: 'dns1123label',
    }),
    topologyKey: f.string(3, {
      doc: 'Node label whose value two nodes share when they are near.',
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
  },
);

export const WeightedPodAffinityTerm = struct(
  'core.v1.WeightedPodAffinityTerm',
  'A wish about other pods, with its weight.',
  {
    weight: f.int32(1, {
      doc: 'From 1 to 100; the weights of fulfilled wishes add up.',
      presence: 'always',
      min: 1,
      max: 100,
    }),
    podAffinityTerm: f.struct(2, PodAffinityTerm, {
      doc: 'The pods it is about.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const PodAffinity = struct('core.v1.PodAffinity', 'Which pods a pod needs or likes to be near to.', {
  requiredDuringSchedulingIgnoredDuringExecution: f.list(1, PodAffinityTerm, {
    doc: 'Must hold at scheduling time.',
  }),
  preferredDuringSchedulingIgnoredDuringExecution: f.list(2, WeightedPodAffinityTerm, {
    doc: 'Should hold at scheduling time.',
  }),
});

export const PodAntiAffinity = struct(
  'core.v1.PodAntiAffinity',
  'Which pods a pod has to or likes to be away from.',
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
  nodeAffinity: f.struct(1, NodeAffinity, { doc: 'In terms of nodes.', presence: 'pointer' }),
  podAffinity: f.struct(2, PodAffinity, { doc: 'Near other pods.', presence: 'pointer' }),
  podAntiAffinity: f.struct(3, PodAntiAffinity, { doc: 'Away from other pods.', presence: 'pointer' }),
});
