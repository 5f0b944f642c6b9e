import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { NodeConfigSource } from './config.ts';
import { derivePodCidrs } from './defaults.ts';
import { NodeStatus } from './status.ts';

export const Taint = struct('core.v1.Taint', 'Keeps pods away from a node unless they tolerate it.', {
  key: f.string(1, { doc: 'Key of the taint.', presence: 'always' }),
  value: f.string(2, { doc: 'Value that belongs to the key.' }),
  effect: f.string(3, {
    doc: 'What happens to pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute.',
    presence: 'always',
  }),
  timeAdded: f.time(4, { doc: 'When a NoExecute taint was added.', presence: 'pointer' }),
});

export const NodeSpec = struct(
  'core.v1.NodeSpec',
  'How a node is meant to be used.',
  {
    podCIDR: f.string(1, { doc: 'Address range for pods of the node.' }),
    podCIDRs: f.list(7, items.string, {
      doc: 'Address ranges for pods, at most one per address family; the first is podCIDR.',
      patchStrategy: 'merge',
      since: '1.16',
    }),
    providerID: f.string(3, { doc: 'How the cloud provider calls the machine.' }),
    unschedulable: f.bool(4, { doc: 'No new pods are placed on the node.' }),
    taints: f.list(5, Taint, { doc: 'What pods have to tolerate to run here.' }),
    configSource: f.struct(6, NodeConfigSource, {
      doc: 'Where the node agent took its configuration from.',
      presence: 'pointer',
      deprecated: 'Dynamic configuration of node agents has been removed.',
    }),
    externalID: f.string(2, { doc: 'Not used any more.', deprecated: 'Not used.' }),
  },
  { derive: derivePodCidrs },
);

export const Node = struct(
  'core.v1.Node',
  'A machine that runs pods.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, NodeSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, NodeStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
