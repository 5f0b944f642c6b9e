import type * as resource from '@orch/kinds/resource';
import { f, struct } from '@orch/schema';
import { NodeSelector } from '../../core/shared/selectors.ts';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { checkDriver } from './shared/driver.ts';
import { onlyRelease126 } from './shared/life.ts';
import { ResourceClassParametersReference } from './shared/references.ts';

export const ResourceClass = struct(
  'resource.v1alpha2.ResourceClass',
  'A kind of resource that can be claimed, and the driver that provides it.',
  {
    metadata: metadataField,
    driverName: f.string(2, {
      doc: 'Driver that provides it, a domain name.',
      presence: 'always',
      required: true,
    }),
    parametersRef: f.struct(3, ResourceClassParametersReference, {
      doc: 'Object with the parameters for the driver.',
      presence: 'pointer',
    }),
    suitableNodes: f.struct(4, NodeSelector, {
      doc: 'Nodes on which it can be used; all when absent.',
      presence: 'pointer',
    }),
    structuredParameters: f.bool(5, {
      doc: 'Whether the scheduler allocates the resource, by parameters that it reads.',
      presence: 'pointer',
      since: '1.30',
    }),
  },
  { typeMeta: true, checks: [checkDriver] },
);

const resourceClassTable: TableDefinition<resource.ResourceClassV1alpha2> = {
  columns: [nameColumn, column('DriverName', 'Driver that provides the resource.'), ageColumn],
  cells: (object) => [nameCell(object), object.driverName ?? '', ageCell(object)],
};

export const resourceClasses: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclasses',
  kind: 'ResourceClass',
  namespaced: false,
  versions: [
    { version: 'v1alpha2', schema: ResourceClass, introduced: '1.27', removed: '1.31' },
    { version: 'v1alpha1', schema: ResourceClass, ...onlyRelease126 },
  ],
  table: resourceClassTable,
  strategy: strategyOf<resource.ResourceClassV1alpha2>({ generation: 'none', deleteReturns: 'object' }),
});
