import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { NodeConfigSource } from './config.ts';
import { derivePodCidrs } from './defaults.ts';
import { NodeStatus } from './status.ts';

export const Taint = struct(
  'core.v1.Taint',
  'Prevents pods that do not tolerate it from running on a node.',
  {
    key: f.string(1, { doc: 'Key of the taint.', presence: 'always' }),
    value: f.string(2, { doc: 'Value that belongs to the key.' }),
    effect: f.string(3, {
      doc: 'What happens to pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute.',
      presence: 'always',
      openapiEnum: { values: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] },
    }),
    timeAdded: f.time(4, { doc: 'When a NoExecute taint was added.', presence: 'pointer' }),
  },
);

const NodePodPreemptionPolicy = struct(
  'core.v1.NodePodPreemptionPolicy',
  'Limits of the removal of pods for others.',
  {
    disableResizePreemption: f.list(1, items.string, {
      doc: 'Owners, by their domains, that forbid to remove pods for a resize of another.',
      listType: 'set',
      format: 'qualifiedName',
      maxItems: 20,
      uniqueBy: '',
    }),
  },
);

export const NodeSpec = struct(
  'core.v1.NodeSpec',
  'Configuration of a node.',
  {
    podCIDR: f.string(1, { doc: 'Address range for pods of the node.' }),
    podCIDRs: f.list(7, items.string, {
      doc: 'Address ranges for pods, at most one per address family; the first is podCIDR.',
      patchStrategy: 'merge',
      since: '1.16',
    }),
    providerID: f.string(3, { doc: 'Identifier of the machine at the cloud provider.' }),
    unschedulable: f.bool(4, { doc: 'No new pods are placed on the node.' }),
    taints: f.list(5, Taint, { doc: 'Taints that pods must tolerate to run on the node.' }),
    configSource: f.struct(6, NodeConfigSource, {
      doc: 'Source of the configuration of the node agent.',
      presence: 'pointer',
      deprecated: 'Dynamic configuration of node agents has been removed.',
    }),
    externalID: f.string(2, { doc: 'Not used any more.', deprecated: 'Not used.' }),
    podPreemptionPolicy: f.struct(8, NodePodPreemptionPolicy, {
      doc: 'Which pods may be removed for others.',
      presence: 'pointer',
      since: 'never',
      gate: 'InPlacePodVerticalScalingSchedulerPreemption',
    }),
  },
  { derive: derivePodCidrs },
);

export const Node = struct(
  'core.v1.Node',
  'A machine that runs pods.',
  {
    metadata: metadataField,
    spec: specField(NodeSpec),
    status: statusField(NodeStatus),
  },
  { typeMeta: true },
);
