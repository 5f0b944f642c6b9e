import type * as resource from '@orch/kinds/resource';
import { hasDeletionTimestamp } from '@orch/machinery';
import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { earlierVersions } from '../shared/versions.ts';
import { ResourceClaim, ResourceClaimV1Beta1, resourceClaimLens } from './schemas.ts';
import { resourceClaimStrategy } from './strategy.ts';

function stateText({ metadata, status = {} }: resource.ResourceClaim): string {
  const isDeleted = hasDeletionTimestamp(metadata);
  const { allocation, reservedFor = [] } = status;
  if (allocation === undefined) return isDeleted ? 'deleted' : 'pending';
  return [
    ...(isDeleted ? ['deleted'] : []),
    'allocated',
    ...(reservedFor.length > 0 ? ['reserved'] : []),
  ].join();
}

const resourceClaimTable: TableDefinition<resource.ResourceClaim> = {
  columns: [nameColumn, column('State', 'State of the claim.'), ageColumn],
  cells: (claim) => [nameCell(claim), stateText(claim), ageCell(claim)],
};

export const resourceClaims: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  namespaced: true,
  versions: [
    { version: 'v1', schema: ResourceClaim, introduced: '1.34' },
    ...earlierVersions({
      v1beta2: ResourceClaim,
      v1beta1: ResourceClaimV1Beta1,
      lens: resourceClaimLens,
    }),
  ],
  table: resourceClaimTable,
  strategy: resourceClaimStrategy,
  subresources: [statusSubresource('ResourceClaim', 'resource')],
});
