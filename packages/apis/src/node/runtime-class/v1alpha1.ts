import { chain, f, type Lens, move, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { Overhead, Scheduling } from './v1.ts';

export const RuntimeClassSpec = struct(
  'node.v1alpha1.RuntimeClassSpec',
  'Which runtime is meant, and what its pods need.',
  {
    runtimeHandler: f.string(1, {
      doc: 'What nodes call the runtime. It cannot change.',
      presence: 'always',
      immutable: true,
    }),
    overhead: f.struct(2, Overhead, {
      doc: 'What pods of the class use beside their containers.',
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
  'A container runtime, or a configuration of one, that pods can ask for by name.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, RuntimeClassSpec, {
      doc: 'What its owner wants.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);

/** What was in a spec stands in the object itself later. */
export const runtimeClassLens: Lens = chain(
  move('spec.runtimeHandler', 'handler'),
  move('spec.overhead', 'overhead'),
  move('spec.scheduling', 'scheduling'),
);
