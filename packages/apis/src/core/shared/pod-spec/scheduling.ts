import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { checkToleration } from '../validation/scheduling.ts';
import { checkSpreadConstraint } from './validation/topology.ts';

export const Toleration = struct(
  'core.v1.Toleration',
  'Allows a pod to run on nodes with matching taints.',
  {
    key: f.string(1, {
      doc: 'Key of the taint; all keys when empty, with operator Exists.',
      format: 'qualifiedName',
    }),
    operator: f.string(2, {
      doc: 'Equal (the default) or Exists.',
      openapiEnum: {
        values: ['Equal', 'Exists', 'Gt', 'Lt'],
        formerly: { before: '1.35', values: ['Equal', 'Exists'] },
      },
    }),
    value: f.string(3, { doc: 'Value of the taint, for Equal.' }),
    effect: f.string(4, {
      doc: 'Effect of the taint; all effects when empty.',
      openapiEnum: { values: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] },
    }),
    tolerationSeconds: f.int64(5, {
      doc: 'How long a NoExecute taint is tolerated; without limit when absent.',
      presence: 'pointer',
    }),
  },
  { checks: [checkToleration] },
);

export const TopologySpreadConstraint = struct(
  'core.v1.TopologySpreadConstraint',
  'How evenly matching pods are distributed over domains of the cluster.',
  {
    maxSkew: f.int32(1, {
      doc: 'Maximum difference between the number of pods in a domain and in the domain with the fewest.',
      presence: 'always',
      min: 1,
    }),
    topologyKey: f.string(2, {
      doc: 'Node label whose values are the domains.',
      presence: 'always',
      required: true,
    }),
    whenUnsatisfiable: f.string(3, {
      doc: 'DoNotSchedule waits, ScheduleAnyway uses the node with the least skew.',
      presence: 'always',
      openapiEnum: { values: ['DoNotSchedule', 'ScheduleAnyway'] },
    }),
    labelSelector: f.struct(4, LabelSelector, { doc: 'Pods that are counted.', presence: 'pointer' }),
    minDomains: f.int32(5, {
      doc: 'Least number of domains to spread over.',
      presence: 'pointer',
      since: '1.27',
      gate: 'MinDomainsInPodTopologySpread',
      min: 1,
    }),
    nodeAffinityPolicy: f.string(6, {
      doc: "Whether nodes that the pod's affinity excludes count: Honor leaves them out, Ignore counts them.",
      presence: 'pointer',
      since: '1.26',
      gate: 'NodeInclusionPolicyInPodTopologySpread',
      enum: ['Honor', 'Ignore'],
      openapiEnum: { since: '1.27' },
      emptyIsInvalid: true,
    }),
    nodeTaintsPolicy: f.string(7, {
      doc: 'Whether nodes with taints that the pod does not tolerate count: Honor leaves them out, Ignore counts them.',
      presence: 'pointer',
      since: '1.26',
      gate: 'NodeInclusionPolicyInPodTopologySpread',
      enum: ['Honor', 'Ignore'],
      openapiEnum: { since: '1.27' },
      emptyIsInvalid: true,
    }),
    matchLabelKeys: f.list(8, items.string, {
      doc: 'Keys of labels whose values in the new pod choose further which pods count.',
      listType: 'atomic',
      since: '1.27',
      gate: 'MatchLabelKeysInPodTopologySpread',
    }),
  },
  { checks: [checkSpreadConstraint] },
);
