import { defineResource, statusSubresource } from '../../../define-resource.ts';
import type { ResourceType } from '../../../resource-type.ts';
import { onlyRelease126 } from '../shared/life.ts';
import { resourceClaimStrategy } from './strategy.ts';
import { resourceClaimTable } from './table.ts';
import { ResourceClaimV1Alpha1, resourceClaimLens } from './v1alpha1.ts';
import { ResourceClaim } from './v1alpha2.ts';

export const classicResourceClaims: ResourceType = defineResource({
  group: 'resource',
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  namespaced: true,
  versions: [
    { version: 'v1alpha2', schema: ResourceClaim, introduced: '1.27', removed: '1.31' },
    { version: 'v1alpha1', schema: ResourceClaimV1Alpha1, lens: resourceClaimLens, ...onlyRelease126 },
  ],
  table: resourceClaimTable,
  strategy: resourceClaimStrategy,
  subresources: [statusSubresource('ResourceClaim', 'resource', 'v1alpha2')],
});
