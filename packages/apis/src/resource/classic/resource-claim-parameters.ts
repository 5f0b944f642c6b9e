import type * as resource from '@orch/kinds/resource';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import type { ResourceType } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { generatedFromCell, generatedFromColumn } from './shared/columns.ts';
import { checkDriver, driverNameField, oneForEachDriver } from './shared/driver.ts';
import { checkModel } from './shared/model.ts';
import { NamedResourcesRequest } from './shared/named-resource-selector.ts';
import { ResourceClaimParametersReference } from './shared/references.ts';
import { vendorParametersField } from './shared/vendor-parameters.ts';

const ResourceRequestModel = struct(
  'resource.v1alpha2.ResourceRequestModel',
  'What is requested, in the model of the resources; one field is set.',
  {
    namedResources: f.struct(1, NamedResourcesRequest, {
      doc: 'An instance of the named resources.',
      presence: 'pointer',
    }),
  },
  { checks: [checkModel] },
);

const ResourceRequest = struct(
  'resource.v1alpha2.ResourceRequest',
  'A request for a resource of one driver.',
  {
    vendorParameters: vendorParametersField(1, 'Parameters of the resource for the driver.'),
    resourceRequestModel: f.inline(2, ResourceRequestModel, { protoName: 'resourceRequestModel' }),
  },
);

const DriverRequests = struct(
  'resource.v1alpha2.DriverRequests',
  'All requests for resources of one driver.',
  {
    driverName: driverNameField,
    vendorParameters: vendorParametersField(2, 'Parameters of all requests for the driver.'),
    requests: f.list(3, ResourceRequest, {
      doc: 'The requests.',
      listType: 'atomic',
      required: true,
    }),
  },
  { checks: [checkDriver] },
);

const ResourceClaimParameters = struct(
  'resource.v1alpha2.ResourceClaimParameters',
  'What a claim requests, in a form that the scheduler reads.',
  {
    metadata: metadataField,
    generatedFrom: f.struct(2, ResourceClaimParametersReference, {
      doc: 'Object of another kind from which this one was made.',
      presence: 'pointer',
    }),
    shareable: f.bool(3, { doc: 'Whether several may use the allocated claim at the same time.' }),
    driverRequests: f.list(4, DriverRequests, {
      doc: 'Requests by driver; a claim without any can always be allocated.',
      listType: 'atomic',
    }),
  },
  { typeMeta: true, checks: [oneForEachDriver('driverRequests')] },
);

export const resourceClaimParameters: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclaimparameters',
  kind: 'ResourceClaimParameters',
  namespaced: true,
  versions: [{ version: 'v1alpha2', schema: ResourceClaimParameters, introduced: '1.30', removed: '1.31' }],
  table: {
    columns: [nameColumn, generatedFromColumn, ageColumn],
    cells: (object) => [nameCell(object), generatedFromCell(object), ageCell(object)],
  },
  strategy: strategyOf<resource.ResourceClaimParametersV1alpha2>({
    generation: 'none',
    deleteReturns: 'object',
  }),
});
