import type * as core from '@orch/kinds/core';
import { allVerbs, defineResource, statusSubresource } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { namespaceStrategy, unlabelledNamespaceStrategy } from './strategy.ts';
import { Namespace } from './v1.ts';

const namespaceTable: TableDefinition<core.Namespace> = {
  columns: [nameColumn, column('Status', 'Active or Terminating.'), ageColumn],
  cells: (namespace) => [nameCell(namespace), namespace.status?.phase ?? '', ageCell(namespace)],
};

export const namespaces: ResourceType = defineResource({
  group: '',
  resource: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  shortNames: ['ns'],
  verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
  versions: [{ version: 'v1', schema: Namespace }],
  nameFormat: 'dns1123label',
  table: namespaceTable,
  strategy: namespaceStrategy,
  earlier: [{ before: '1.21', change: { strategy: unlabelledNamespaceStrategy } }],
  subresources: [
    {
      name: 'finalize',
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      verbs: ['update'],
      behaviour: 'finalize',
    },
    statusSubresource('Namespace'),
  ],
  fields: { 'status.phase': textField('status.phase') },
});
