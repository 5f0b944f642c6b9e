import { f, items, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../../meta/standard-fields.ts';
import { deriveNamespace } from './defaults.ts';

export const NamespaceSpec = struct('core.v1.NamespaceSpec', 'Finalizers of a namespace.', {
  finalizers: f.list(1, items.string, {
    doc: 'Tasks that must be completed before the namespace is deleted. Changed through the finalize subresource only.',
  }),
});

export const NamespaceCondition = struct(
  'core.v1.NamespaceCondition',
  'One aspect of the deletion of a namespace.',
  {
    type: f.string(1, { doc: 'Type of the condition of the deletion.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(4, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(5, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(6, { doc: 'Human-readable details.' }),
  },
);

export const NamespaceStatus = struct('core.v1.NamespaceStatus', 'Lifecycle state of a namespace.', {
  phase: f.string(1, {
    doc: 'Active or Terminating.',
    default: 'Active',
    openapiEnum: { values: ['Active', 'Terminating'] },
  }),
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
    metadata: metadataField,
    spec: specField(NamespaceSpec),
    status: statusField(NamespaceStatus),
  },
  { typeMeta: true, derive: deriveNamespace },
);
