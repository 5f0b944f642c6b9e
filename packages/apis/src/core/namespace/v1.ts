import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';

export const NamespaceSpec = struct('core.v1.NamespaceSpec', 'What keeps a namespace from disappearing.', {
  finalizers: f.list(1, items.string, {
    doc: 'Tasks to be done before the namespace may go. Changed through the finalize subresource only.',
  }),
});

export const NamespaceCondition = struct(
  'core.v1.NamespaceCondition',
  'What is known of a namespace that is being deleted.',
  {
    type: f.string(1, { doc: 'Which aspect of the deletion.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(4, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(5, { doc: 'One CamelCase word for programs: why it is so.' }),
    message: f.string(6, { doc: 'Details for people.' }),
  },
);

export const NamespaceStatus = struct('core.v1.NamespaceStatus', 'Where a namespace is in its life.', {
  phase: f.string(1, { doc: 'Active or Terminating.' }),
  conditions: f.list(2, NamespaceCondition, {
    doc: 'Observations about the object, one entry per type.',
    patchStrategy: 'merge',
    patchMergeKey: 'type',
    since: '1.16',
  }),
});

export const Namespace = struct(
  'core.v1.Namespace',
  'A scope for names: objects of the same resource may have the same name in different namespaces.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, NamespaceSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, NamespaceStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);
