import type * as core from '@orch/kinds/core';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { column, containersText, labelsText, nameCell, nameColumn } from '../table.ts';
import { PodTemplateSpec } from './shared/pod-spec/template.ts';
import { templateWarnings } from './shared/pod-spec/warnings/pod.ts';
import { isNewGeneration } from './shared/pod-spec/warnings/workload.ts';

export const PodTemplate = struct(
  'core.v1.PodTemplate',
  'A template to create pods from, as a separate object.',
  {
    metadata: metadataField,
    template: f.struct(2, PodTemplateSpec, { doc: 'The template.', presence: 'always' }),
  },
  { typeMeta: true },
);

const podTemplateTable: TableDefinition<core.PodTemplate> = {
  columns: [
    nameColumn,
    column('Containers', 'Names of the containers.'),
    column('Images', 'Images of the containers.'),
    column('Pod Labels', 'Labels of the pods.'),
  ],
  cells(object) {
    const template = object.template ?? {};
    return [
      nameCell(object),
      ...containersText(template.spec?.containers),
      labelsText(template.metadata?.labels),
    ];
  },
};

export const podTemplates: ResourceType = defineResource({
  group: '',
  resource: 'podtemplates',
  kind: 'PodTemplate',
  namespaced: true,
  versions: [{ version: 'v1', schema: PodTemplate }],
  table: podTemplateTable,
  strategy: strategyOf<core.PodTemplate>({
    generation: 'content',
    deleteReturns: 'object',
    warnings: (next, old, context) =>
      isNewGeneration(next, old) ? templateWarnings('template', next.template, context) : [],
  }),
  earlier: [
    { before: '1.22', change: { strategy: strategyOf<core.PodTemplate>({ deleteReturns: 'object' }) } },
  ],
});
