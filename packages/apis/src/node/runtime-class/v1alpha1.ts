import { chain, f, type Lens, move, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { Overhead, Scheduling } from './v1.ts';

const RuntimeClassSpec = struct(
  'node.v1alpha1.RuntimeClassSpec',
  'The runtime, and the requirements of its pods.',
  {
    runtimeHandler: f.string(1, {
      doc: 'Name of the runtime on the nodes. It cannot change.',
      presence: 'always',
      immutable: true,
    }),
    overhead: f.struct(2, Overhead, {
      doc: 'Resources that pods of the class use in addition to their containers.',
      presence: 'pointer',
      since: '1.18',
      gate: 'PodOverhead',
    }),
    scheduling: f.struct(3, Scheduling, {
      doc: 'Where pods of the class can run; anywhere when absent.',
      presence: 'pointer',
      since: '1.16',
    }),
  },
);

export const RuntimeClass = struct(
  'node.v1alpha1.RuntimeClass',
  'A container runtime, or a configuration of one, that pods can select by name.',
  {
    metadata: metadataField,
    spec: f.struct(2, RuntimeClassSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);

/** Fields of the spec that later versions have in the object itself. */
export const runtimeClassLens: Lens = chain(
  move('spec.runtimeHandler', 'handler'),
  move('spec.overhead', 'overhead'),
  move('spec.scheduling', 'scheduling'),
);
