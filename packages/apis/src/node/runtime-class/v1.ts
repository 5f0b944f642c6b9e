import { f, items, struct } from '@orch/schema';
import { Toleration } from '../../core/shared/pod-spec/scheduling.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { checkOverhead, checkScheduling } from './validation.ts';

export const Overhead = struct(
  'node.v1.Overhead',
  'Resources that a pod of the class uses beside those of its containers.',
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
      doc: 'Labels that such nodes have; merged with what the pod asks for.',
      mapType: 'atomic',
    }),
    tolerations: f.list(2, Toleration, {
      doc: 'Tolerations that pods of the class get.',
      listType: 'atomic',
    }),
  },
  { checks: [checkScheduling] },
);

export const RuntimeClass = struct(
  'node.v1.RuntimeClass',
  'A container runtime, or a configuration of one, that pods can ask for by name.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    handler: f.string(2, {
      doc: 'What nodes call the runtime. It cannot change.',
      presence: 'always',
      immutable: true,
    }),
    overhead: f.struct(3, Overhead, {
      doc: 'What pods of the class use beside their containers.',
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
