import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import type { ResourceType } from '../resource-type.ts';
import { podTemplateTable } from './replication-controller/table.ts';
import { PodTemplateSpec } from './shared/pod-spec/template.ts';

export const PodTemplate = struct(
  'core.v1.PodTemplate',
  'A template to make pods from, as an object of its own.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    template: f.struct(2, PodTemplateSpec, { doc: 'The template.', presence: 'always' }),
  },
  { typeMeta: true },
);

export const podTemplates: ResourceType = defineResource({
  group: '',
  resource: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  versions: [{ version: 'v1', schema: PodTemplate }],
  table: podTemplateTable,
  strategy: strategyOf({ deleteReturns: 'object' }),
});
