import type * as core from '@orch/kinds/core';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { persistentVolumeTable } from './table.ts';
import { PersistentVolume } from './v1.ts';
import { validateVolumeUpdate } from './validation.ts';

export { PersistentVolumeSpec } from './v1.ts';

export const persistentVolumes: ResourceType = defineResource({
  group: '',
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  namespaced: false,
  shortNames: ['pv'],
  versions: [{ version: 'v1', schema: PersistentVolume }],
  table: persistentVolumeTable,
  strategy: strategyOf<core.PersistentVolume>({
    resetStatus: true,
    deleteReturns: 'object',
    prepareForCreate(next) {
      next.status = { phase: 'Pending' };
    },
    prepareForUpdate: keepStatus,
    validate: (next, old) => (old === undefined ? [] : validateVolumeUpdate(next, old)),
    through: { status: statusRules() },
  }),
  subresources: [statusSubresource('PersistentVolume')],
});
