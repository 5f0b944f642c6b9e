import type * as core from '@orch/kinds/core';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { LimitRange } from './v1.ts';
import { validateLimitRange } from './validation.ts';

export const limitRanges: ResourceType = defineResource({
  group: '',
  resource: 'limitranges',
  kind: 'LimitRange',
  namespaced: true,
  shortNames: ['limits'],
  versions: [{ version: 'v1', schema: LimitRange }],
  strategy: strategyOf<core.LimitRange>({
    createOnUpdate: true,
    prepareForCreate(next, context) {
      if ((next.metadata.name ?? '') === '') next.metadata.name = context.uuid();
    },
    validate: (next, _old, { names }) => validateLimitRange(next, names),
  }),
});
