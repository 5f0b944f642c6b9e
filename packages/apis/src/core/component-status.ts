import type * as core from '@orch/kinds/core';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { column, nameCell, nameColumn } from '../table.ts';

export const ComponentCondition = struct('core.v1.ComponentCondition', 'Health of a component.', {
  type: f.string(1, { doc: 'Always Healthy.', presence: 'always' }),
  status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
  message: f.string(3, { doc: 'Human-readable details.' }),
  error: f.string(4, { doc: 'Error of the health check.' }),
});

export const ComponentStatus = struct(
  'core.v1.ComponentStatus',
  'Health of a part of the control plane. Deprecated: use the health endpoints of the components.',
  {
    metadata: metadataField,
    conditions: f.list(2, ComponentCondition, {
      doc: 'Results of the health checks.',
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
  { typeMeta: true },
);

const componentStatusTable: TableDefinition<core.ComponentStatus> = {
  columns: [
    nameColumn,
    column('Status', 'Whether the component is healthy.'),
    column('Message', 'Response of the component.'),
    column('Error', 'Error of the health check.'),
  ],
  cells(component) {
    const health = (component.conditions ?? []).find((condition) => condition.type === 'Healthy');
    const status = health === undefined ? 'Unknown' : health.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [nameCell(component), status, health?.message ?? '', health?.error ?? ''];
  },
};

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
