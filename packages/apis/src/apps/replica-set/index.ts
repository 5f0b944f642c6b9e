import type * as apps from '@orch/kinds/apps';
import { workloadWarnings } from '../../core/shared/pod-spec/warnings/workload.ts';
import { checkParts } from '../../core/shared/validation/replica-counts.ts';
import { defineResource, scaleSubresource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType, Strategy } from '../../resource-type.ts';
import { statusRules } from '../../status-strategy.ts';
import { appsV1Beta2, extensionsV1Beta1, sameFields, withScale } from '../shared/older-versions.ts';
import { workloadScale } from '../shared/scale-mapping.ts';
import { validateSelecting, workloadStrategy } from '../shared/strategy.ts';
import { ReplicaSet as ExtensionsReplicaSet } from './extensions-v1beta1.ts';
import { replicaSetTable } from './table.ts';
import { ReplicaSet } from './v1.ts';

const status = statusSubresource('ReplicaSet', 'apps');

const replicaSetStrategy: Strategy<apps.ReplicaSet> = workloadStrategy({
  validate: validateSelecting('ReplicaSet'),
  warnings: workloadWarnings,
  through: {
    status: statusRules((next) =>
      checkParts(next.status ?? {}, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    ),
  },
});

export const replicaSets: ResourceType = defineResource({
  group: 'apps',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
  shortNames: ['rs'],
  categories: ['all'],
  versions: [
    { version: 'v1', schema: ReplicaSet, introduced: '1.9' },
    appsV1Beta2({ schema: ReplicaSet, subresources: withScale(status, ['apps', 'v1beta2']) }),
    extensionsV1Beta1(
      {
        schema: ExtensionsReplicaSet,
        lens: sameFields,
        subresources: withScale(status, ['extensions', 'v1beta1']),
      },
      '1.2',
    ),
  ],
  table: replicaSetTable,
  strategy: replicaSetStrategy,
  subresources: [scaleSubresource, status],
  scale: workloadScale,
});
