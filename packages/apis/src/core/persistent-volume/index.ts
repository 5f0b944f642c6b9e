import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { volumeStrategy } from './strategy.ts';
import { persistentVolumeTable } from './table.ts';
import { PersistentVolume } from './v1.ts';

export { PersistentVolumeSpec } from './v1.ts';

export const persistentVolumes: ResourceType = defineResource({
  group: '',
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  namespaced: false,
  shortNames: ['pv'],
  versions: [{ version: 'v1', schema: PersistentVolume }],
  table: persistentVolumeTable,
  strategy: volumeStrategy,
  subresources: [statusSubresource('PersistentVolume')],
});
