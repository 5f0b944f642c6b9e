import type * as apps from '@orch/kinds/apps';
import { lossless } from '@orch/schema';
import { defineResource, scaleSubresource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType, Strategy, TableDefinition } from '../../resource-type.ts';
import { statusRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { containerCells, containerColumns, readyPartColumn } from '../shared/columns.ts';
import { appsV1Beta1, appsV1Beta2, sameFields, withScale } from '../shared/older-versions.ts';
import { workloadScale } from '../shared/scale-mapping.ts';
import { workloadStrategy } from '../shared/strategy.ts';
import { StatefulSet } from './v1.ts';
import { StatefulSet as StatefulSetV1Beta1 } from './v1beta1.ts';
import { validateEarlierStatefulSet, validateStatefulSet, validateStatefulSetStatus } from './validation.ts';
import { statefulSetWarnings } from './warnings.ts';

const status = statusSubresource('StatefulSet', 'apps');

const statefulSetStatus = { status: statusRules(validateStatefulSetStatus) };

const statefulSetStrategy: Strategy = workloadStrategy({
  validate: validateStatefulSet,
  warnings: statefulSetWarnings,
  through: statefulSetStatus,
});

/** For releases that do not validate the pods of a set. */
const earlierStatefulSetStrategy: Strategy = workloadStrategy({
  validate: validateEarlierStatefulSet,
  warnings: statefulSetWarnings,
  through: statefulSetStatus,
});

const statefulSetTable: TableDefinition<apps.StatefulSet> = {
  columns: [nameColumn, readyPartColumn, ageColumn, ...containerColumns],
  cells(set) {
    const { replicas, template } = set.spec ?? {};
    return [
      nameCell(set),
      `${set.status?.readyReplicas ?? 0}/${replicas ?? 0}`,
      ageCell(set),
      ...containerCells(template),
    ];
  },
};

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
        // Its observedGeneration distinguishes 0 from an absent value.
        lens: lossless(sameFields, { hub: StatefulSet, older: StatefulSetV1Beta1 }),
        subresources: withScale(status, ['apps', 'v1beta1']),
      },
      '1.5',
    ),
  ],
  table: statefulSetTable,
  strategy: statefulSetStrategy,
  subresources: [scaleSubresource, status],
  nameFormat: 'dns1123label',
  scale: workloadScale,
  earlier: [
    { before: '1.34', change: { strategy: earlierStatefulSetStrategy } },
    // The pods of a set have its name in theirs.
    { before: '1.27', change: { nameFormat: 'dns1123subdomain' } },
  ],
});
