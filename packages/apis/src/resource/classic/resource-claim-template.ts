import type * as resource from '@orch/kinds/resource';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { classColumn, modeColumn } from './shared/columns.ts';
import { onlyRelease126 } from './shared/life.ts';
import { ResourceClaimSpec } from './shared/resource-claim-spec.ts';

const ResourceClaimTemplateSpec = struct(
  'resource.v1alpha2.ResourceClaimTemplateSpec',
  'Metadata and specification of the claims.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Labels and annotations of the claims; other metadata is ignored.',
      presence: 'always',
    }),
    spec: f.struct(2, ResourceClaimSpec, {
      doc: 'Specification of the claims.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ResourceClaimTemplate = struct(
  'resource.v1alpha2.ResourceClaimTemplate',
  'Template of claims, one for each pod that refers to it.',
  {
    metadata: metadataField,
    spec: f.struct(2, ResourceClaimTemplateSpec, {
      doc: 'The template. It cannot change later.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
  },
  { typeMeta: true },
);

const resourceClaimTemplateTable: TableDefinition<resource.ResourceClaimTemplateV1alpha2> = {
  columns: [nameColumn, classColumn, modeColumn, ageColumn],
  cells(template) {
    const { resourceClassName, allocationMode } = template.spec?.spec ?? {};
    return [nameCell(template), resourceClassName ?? '', allocationMode ?? '', ageCell(template)];
  },
};

export const classicResourceClaimTemplates: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclaimtemplates',
  kind: 'ResourceClaimTemplate',
  namespaced: true,
  versions: [
    { version: 'v1alpha2', schema: ResourceClaimTemplate, introduced: '1.27', removed: '1.31' },
    { version: 'v1alpha1', schema: ResourceClaimTemplate, ...onlyRelease126 },
  ],
  table: resourceClaimTemplateTable,
  strategy: strategyOf({ deleteReturns: 'object' }),
});
