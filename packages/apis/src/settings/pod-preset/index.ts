import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { PodPreset } from './v1alpha1.ts';

export const podPresets: ResourceType = defineResource({
  group: 'settings',
  resource: 'podpresets',
  kind: 'PodPreset',
  namespaced: true,
  versions: [{ version: 'v1alpha1', schema: PodPreset, introduced: '1.6', removed: '1.20' }],
  strategy: strategyOf({
    generation: 'fixed',
    // Presets are made and deleted; what they give does not change.
    prepareForUpdate(next, old) {
      next['spec'] = old['spec'];
    },
  }),
});
