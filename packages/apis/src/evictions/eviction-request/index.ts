import type * as lifecycle from '@orch/kinds/lifecycle';
import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { statusOnlyRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { stateText, targetCells } from '../shared/cells.ts';
import { evictionStrategy, evictionVersions } from '../shared/resource.ts';
import { EvictionRequest } from './v1alpha1.ts';

const evictionRequestTable: TableDefinition<lifecycle.EvictionRequestV1alpha1> = {
  columns: [
    nameColumn,
    column('Target', 'Name of the object to evict.'),
    column('Target Type', 'Kind of the object to evict.'),
    column('Status', 'Progress or result of the eviction.'),
    column('Requester', 'Who requests the eviction.'),
    column('Intent', 'Whether the eviction is still wanted.'),
    ageColumn,
  ],
  cells: (request) => [
    nameCell(request),
    ...targetCells(request),
    stateText(request),
    request.spec?.requester ?? '',
    request.spec?.intent ?? '',
    ageCell(request),
  ],
};

export const evictionRequests: ResourceType = defineResource({
  group: 'lifecycle',
  resource: 'evictionrequests',
  kind: 'EvictionRequest',
  namespaced: true,
  versions: evictionVersions(EvictionRequest),
  table: evictionRequestTable,
  strategy: evictionStrategy(statusOnlyRules()),
  subresources: [statusSubresource('EvictionRequest', 'lifecycle', 'v1alpha1')],
});
