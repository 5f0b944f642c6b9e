import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { persistentVolumeClaimStrategy } from './strategy.ts';
import { persistentVolumeClaimTable } from './table.ts';
import { PersistentVolumeClaim } from './v1.ts';

export { PersistentVolumeClaim } from './v1.ts';

export const persistentVolumeClaims: ResourceType = defineResource({
  group: '',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  shortNames: ['pvc'],
  versions: [{ version: 'v1', schema: PersistentVolumeClaim }],
  table: persistentVolumeClaimTable,
  strategy: persistentVolumeClaimStrategy,
  subresources: [statusSubresource('PersistentVolumeClaim')],
});
