import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import type { ResourceType } from '../resource-type.ts';
import { componentStatusTable } from './shared/simple.ts';

export const ComponentCondition = struct(
  'core.v1.ComponentCondition',
  'What is known of the health of a component.',
  {
    type: f.string(1, { doc: 'Always Healthy.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    message: f.string(3, { doc: 'Details for people.' }),
    error: f.string(4, { doc: 'What went wrong when asking the component.' }),
  },
);

export const ComponentStatus = struct(
  'core.v1.ComponentStatus',
  'Health of a part of the control plane. Deprecated: ask the health endpoints of the components themselves.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    conditions: f.list(2, ComponentCondition, {
      doc: 'What was found.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
  { typeMeta: true },
);

export const componentStatuses: ResourceType = defineResource({
  group: '',
  resource: 'componentstatuses',
  kind: 'ComponentStatus',
  namespaced: false,
  shortNames: ['cs'],
  verbs: ['get', 'list'],
  virtual: true,
  versions: [{ version: 'v1', schema: ComponentStatus, deprecated: '1.19' }],
  table: componentStatusTable,
  strategy: strategyOf(),
});
