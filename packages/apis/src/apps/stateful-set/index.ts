import { lossless } from '@orch/schema';
import { defineResource, scaleSubresource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { appsV1Beta1, appsV1Beta2, sameMembers, withScale } from '../shared/older-versions.ts';
import { workloadScale } from '../shared/scale-mapping.ts';
import { earlierStatefulSetStrategy, statefulSetStrategy } from './strategy.ts';
import { statefulSetTable } from './table.ts';
import { StatefulSet } from './v1.ts';
import { StatefulSet as StatefulSetV1Beta1 } from './v1beta1.ts';

const status = statusSubresource('StatefulSet', 'apps');

export const statefulSets: ResourceType = defineResource({
  group: 'apps',
  resource: 'statefulsets',
  kind: 'StatefulSet',
  namespaced: true,
  shortNames: ['sts'],
  categories: ['all'],
  versions: [
    { version: 'v1', schema: StatefulSet, introduced: '1.9' },
    appsV1Beta2({ schema: StatefulSet, subresources: withScale(status, ['apps', 'v1beta2']) }),
    appsV1Beta1(
      {
        schema: StatefulSetV1Beta1,
        // Its observedGeneration tells 0 from nothing.
        lens: lossless(sameMembers, { hub: StatefulSet, older: StatefulSetV1Beta1 }),
        subresources: withScale(status, ['apps', 'v1beta1']),
      },
      '1.5',
    ),
  ],
  table: statefulSetTable,
  strategy: statefulSetStrategy,
  subresources: [scaleSubresource, status],
  scale: workloadScale,
  earlier: [{ before: '1.25', change: { strategy: earlierStatefulSetStrategy } }],
});
