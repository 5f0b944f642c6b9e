import type * as node from '@orch/kinds/node';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { RuntimeClass } from './v1.ts';
import { RuntimeClass as RuntimeClassV1Alpha1, runtimeClassLens } from './v1alpha1.ts';
import { validateRuntimeClass } from './validation.ts';
import { runtimeClassWarnings } from './warnings.ts';

const runtimeClassTable: TableDefinition<node.RuntimeClass> = {
  columns: [nameColumn, column('Handler', 'Name of the runtime on the nodes.'), ageColumn],
  cells: (runtimeClass) => [nameCell(runtimeClass), runtimeClass.handler ?? '', ageCell(runtimeClass)],
};

export const runtimeClasses: ResourceType = defineResource({
  group: 'node',
  resource: 'runtimeclasses',
  kind: 'RuntimeClass',
  namespaced: false,
  versions: [
    { version: 'v1', schema: RuntimeClass, introduced: '1.20' },
    {
      version: 'v1beta1',
      schema: RuntimeClass,
      introduced: '1.13',
      deprecated: '1.22',
      removed: '1.25',
      replacement: 'none',
    },
    {
      version: 'v1alpha1',
      schema: RuntimeClassV1Alpha1,
      lens: runtimeClassLens,
      introduced: '1.12',
      removed: '1.22',
    },
  ],
  unqualifiedFinalizers: true,
  table: runtimeClassTable,
  strategy: strategyOf<node.RuntimeClass>({
    createOnUpdate: true,
    unconditionalUpdate: false,
    validate: (next, _old, context) => validateRuntimeClass(next, context),
    warnings: runtimeClassWarnings,
  }),
});
