import { f, struct } from '@orch/schema';
import { checkModel } from '../shared/model.ts';
import { vendorParametersField } from '../shared/vendor-parameters.ts';

const NamedResourcesAllocationResult = struct(
  'resource.v1alpha2.NamedResourcesAllocationResult',
  'An allocated instance of the named resources of a node.',
  {
    name: f.string(1, {
      doc: 'Name of the instance.',
      presence: 'always',
      required: true,
      format: 'dns1123subdomain',
    }),
  },
);

const AllocationResultModel = struct(
  'resource.v1alpha2.AllocationResultModel',
  'What is allocated, in the model of the resources; one field is set.',
  {
    namedResources: f.struct(1, NamedResourcesAllocationResult, {
      doc: 'The instance that is allocated.',
      presence: 'pointer',
    }),
  },
  { checks: [checkModel] },
);

const DriverAllocationResult = struct(
  'resource.v1alpha2.DriverAllocationResult',
  'What is allocated for one request, with the parameters of the request for the driver.',
  {
    vendorRequestParameters: vendorParametersField(1, 'Parameters of the request.'),
    allocationResultModel: f.inline(2, AllocationResultModel, { protoName: 'allocationResultModel' }),
  },
);

/** What the scheduler allocates itself, of a driver with structured parameters; only release 1.30 has it. */
export const StructuredResourceHandle = struct(
  'resource.v1alpha2.StructuredResourceHandle',
  'An allocation by the scheduler: the parameters of class and claim, and what is allocated on the node.',
  {
    vendorClassParameters: vendorParametersField(1, 'Parameters of the class.'),
    vendorClaimParameters: vendorParametersField(2, 'Parameters of the claim.'),
    nodeName: f.string(4, { doc: 'Node on which it is allocated.', format: 'dns1123subdomain' }),
    results: f.list(5, DriverAllocationResult, {
      doc: 'What is allocated for each request.',
      presence: 'always',
      listType: 'atomic',
    }),
  },
);
