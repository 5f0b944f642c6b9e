import type * as kinds from '@orch/kinds/resource';
import { fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { resourcePoolStatusRequestTable } from './table.ts';
import { ResourcePoolStatusRequest } from './v1alpha3.ts';

type Request = kinds.ResourcePoolStatusRequestV1alpha3;

const kind = 'ResourcePoolStatusRequest';

export const resourcePoolStatusRequests: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourcepoolstatusrequests',
  kind,
  namespaced: false,
  versions: [
    {
      version: 'v1alpha3',
      schema: ResourcePoolStatusRequest,
      introduced: '1.36',
      deprecated: '1.39',
      removed: '1.42',
    },
  ],
  table: resourcePoolStatusRequestTable,
  strategy: strategyOf<Request>({
    unconditionalUpdate: false,
    deleteReturns: 'object',
    prepareForCreate(next) {
      delete next.status;
    },
    prepareForUpdate: keepStatus,
    through: {
      status: statusOnlyRules((next: Request, old: Request) =>
        old.status === undefined || jsonEquals(next.status, old.status)
          ? []
          : [fieldError.invalid('status', next.status, 'field is immutable')],
      ),
    },
  }),
  subresources: [statusSubresource(kind, 'resource', 'v1alpha3')],
});
