import { chain } from '@orch/schema';
import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import {
  earlierHorizontalPodAutoscalerStrategy,
  horizontalPodAutoscalerStrategy,
  strategyWithoutGeneration,
} from './strategy.ts';
import { earlierHorizontalPodAutoscalerTable, horizontalPodAutoscalerTable } from './table.ts';
import { horizontalPodAutoscalerLens as lensV1 } from './v1.lens.ts';
import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from './v1.ts';
import { HorizontalPodAutoscaler } from './v2.ts';
import { horizontalPodAutoscalerLens as lensV2Beta1 } from './v2beta1.lens.ts';
import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2Beta1 } from './v2beta1.ts';
import { HorizontalPodAutoscaler as HorizontalPodAutoscalerV2Beta2 } from './v2beta2.ts';

/** The fields are the same but empty ones are encoded differently, so the lens is empty. */
const lensV2Beta2 = chain();

export const horizontalPodAutoscalers: ResourceType = defineResource({
  group: 'autoscaling',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  namespaced: true,
  shortNames: ['hpa'],
  categories: ['all'],
  versions: [
    { version: 'v2', schema: HorizontalPodAutoscaler, introduced: '1.23' },
    { version: 'v1', schema: HorizontalPodAutoscalerV1, lens: lensV1, introduced: '1.2' },
    {
      version: 'v2beta2',
      schema: HorizontalPodAutoscalerV2Beta2,
      lens: lensV2Beta2,
      introduced: '1.12',
      deprecated: '1.23',
      removed: '1.26',
    },
    {
      version: 'v2beta1',
      schema: HorizontalPodAutoscalerV2Beta1,
      lens: lensV2Beta1,
      introduced: '1.8',
      deprecated: '1.22',
      removed: '1.25',
    },
  ],
  table: horizontalPodAutoscalerTable,
  strategy: horizontalPodAutoscalerStrategy,
  earlier: [
    { before: '1.34', change: { strategy: earlierHorizontalPodAutoscalerStrategy } },
    { before: '1.30', change: { table: earlierHorizontalPodAutoscalerTable } },
    { before: '1.37', change: { strategy: strategyWithoutGeneration } },
  ],
  subresources: [statusSubresource('HorizontalPodAutoscaler', 'autoscaling', 'v2')],
});
