import type * as settings from '@orch/kinds/settings';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { PodPreset } from './v1alpha1.ts';

export const podPresets: ResourceType = defineResource({
  group: 'settings',
  resource: 'podpresets',
  kind: 'PodPreset',
  namespaced: true,
  versions: [{ version: 'v1alpha1', schema: PodPreset, introduced: '1.6', removed: '1.20' }],
  strategy: strategyOf<settings.PodPresetV1alpha1>({
    generation: 'fixed',
    // Presets are created and deleted; their content does not change.
    prepareForUpdate(next, old) {
      if (old.spec === undefined) delete next.spec;
      else next.spec = old.spec;
    },
  }),
});
