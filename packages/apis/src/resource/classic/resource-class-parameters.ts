import type * as resource from '@orch/kinds/resource';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { generatedFromCell, generatedFromColumn } from './shared/columns.ts';
import { checkDriver, driverNameField, oneForEachDriver } from './shared/driver.ts';
import { checkModel } from './shared/model.ts';
import { NamedResourcesFilter } from './shared/named-resource-selector.ts';
import { ResourceClassParametersReference } from './shared/references.ts';
import { vendorParametersField } from './shared/vendor-parameters.ts';

const VendorParameters = struct(
  'resource.v1alpha2.VendorParameters',
  'Parameters for one driver.',
  {
    driverName: driverNameField,
    parameters: vendorParametersField(2, 'The parameters, in the format of the driver.'),
  },
  { checks: [checkDriver] },
);

const ResourceFilterModel = struct(
  'resource.v1alpha2.ResourceFilterModel',
  'What the class has, in the model of the resources; one field is set.',
  {
    namedResources: f.struct(1, NamedResourcesFilter, {
      doc: 'Instances of the named resources.',
      presence: 'pointer',
    }),
  },
  { checks: [checkModel] },
);

const ResourceFilter = struct(
  'resource.v1alpha2.ResourceFilter',
  'Limits the resources of one driver that a class has.',
  {
    driverName: driverNameField,
    resourceFilterModel: f.inline(2, ResourceFilterModel, { protoName: 'resourceFilterModel' }),
  },
  { checks: [checkDriver] },
);

const ResourceClassParameters = struct(
  'resource.v1alpha2.ResourceClassParameters',
  'What a class has, in a form that the scheduler reads.',
  {
    metadata: metadataField,
    generatedFrom: f.struct(2, ResourceClassParametersReference, {
      doc: 'Object of another kind from which this one was made.',
      presence: 'pointer',
    }),
    vendorParameters: f.list(3, VendorParameters, {
      doc: 'Parameters of all claims of the class, by driver.',
      listType: 'atomic',
    }),
    filters: f.list(4, ResourceFilter, {
      doc: 'Limits by driver.',
      listType: 'atomic',
    }),
  },
  { typeMeta: true, checks: [oneForEachDriver('vendorParameters'), oneForEachDriver('filters')] },
);

export const resourceClassParameters: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclassparameters',
  kind: 'ResourceClassParameters',
  namespaced: true,
  versions: [{ version: 'v1alpha2', schema: ResourceClassParameters, introduced: '1.30', removed: '1.31' }],
  table: {
    columns: [nameColumn, generatedFromColumn, ageColumn],
    cells: (object) => [nameCell(object), generatedFromCell(object), ageCell(object)],
  },
  strategy: strategyOf<resource.ResourceClassParametersV1alpha2>({
    generation: 'none',
    deleteReturns: 'object',
  }),
});
