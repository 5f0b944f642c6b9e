import { fieldError } from '@orch/machinery';
import { f, struct } from '@orch/schema';
import { NodeSelector } from '../../../core/shared/selectors.ts';
import { driverName } from '../../../validation-rules.ts';
import { resourceClaimOf } from '../shared/resource-claim-spec.ts';
import { StructuredResourceHandle } from './structured-handle.ts';

const MAX_HANDLES = 32;

const MAX_HANDLE_BYTES = 16 * 1024;

const ResourceHandle = struct(
  'resource.v1alpha2.ResourceHandle',
  'Data about an allocation for a driver on a node.',
  {
    driverName: f.string(1, { doc: 'Driver that the data is for.' }),
    data: f.string(2, { doc: 'Data in the format of the driver.', maxBytes: MAX_HANDLE_BYTES }),
    structuredData: f.struct(5, StructuredResourceHandle, {
      doc: 'The allocation, where the scheduler made it; not together with `data`.',
      presence: 'pointer',
      since: '1.30',
    }),
  },
  {
    checks: [
      driverName('driverName'),
      ({ data, structuredData }, { path }) =>
        data !== undefined && structuredData !== undefined
          ? [fieldError.invalid(path, null, 'data and structuredData are mutually exclusive')]
          : [],
    ],
  },
);

export const AllocationResult = struct(
  'resource.v1alpha2.AllocationResult',
  'An allocated resource, and where it can be used.',
  {
    resourceHandles: f.list(1, ResourceHandle, {
      doc: 'Data for the drivers on the nodes, one entry for each driver.',
      listType: 'atomic',
      maxItems: MAX_HANDLES,
    }),
    availableOnNodes: f.struct(2, NodeSelector, {
      doc: 'Nodes on which it can be used; all when absent.',
      presence: 'pointer',
    }),
    shareable: f.bool(3, { doc: 'Whether several may use it at the same time.' }),
  },
);

export const ResourceClaim = resourceClaimOf('v1alpha2', AllocationResult);
