import { f, items, struct } from '@orch/schema';
import { Toleration } from '../../core/shared/pod-spec/scheduling.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkOverhead, checkScheduling } from './validation.ts';

export const Overhead = struct(
  'node.v1.Overhead',
  'Resources that a pod of the class uses in addition to those of its containers.',
  {
    podFixed: f.map(1, items.quantity, { doc: 'Amount by resource, the same for every pod.' }),
  },
  { checks: [checkOverhead] },
);

export const Scheduling = struct(
  'node.v1.Scheduling',
  'Nodes on which pods of the class can run.',
  {
    nodeSelector: f.map(1, items.string, {
      doc: 'Labels that such nodes have; merged with the node selector of the pod.',
      mapType: 'atomic',
    }),
    tolerations: f.list(2, Toleration, {
      doc: 'Tolerations that are added to pods of the class.',
      listType: 'atomic',
    }),
  },
  { checks: [checkScheduling] },
);

export const RuntimeClass = struct(
  'node.v1.RuntimeClass',
  'A container runtime, or a configuration of one, that pods can select by name.',
  {
    metadata: metadataField,
    handler: f.string(2, {
      doc: 'Name of the runtime on the nodes. It cannot change.',
      presence: 'always',
      immutable: true,
    }),
    overhead: f.struct(3, Overhead, {
      doc: 'Resources that pods of the class use in addition to their containers.',
      presence: 'pointer',
      since: '1.18',
      gate: 'PodOverhead',
    }),
    scheduling: f.struct(4, Scheduling, {
      doc: 'Where pods of the class can run; anywhere when absent.',
      presence: 'pointer',
      since: '1.16',
    }),
  },
  { typeMeta: true },
);
