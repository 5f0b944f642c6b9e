import type * as scheduling from '@orch/kinds/scheduling';
import { type FieldError, fieldError } from '@orch/machinery';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { policyText, workloadText } from '../shared/cells.ts';
import { groupVersions } from '../shared/versions.ts';
import { PodGroupV1Alpha2, podGroupLensV1Alpha2 } from './v1alpha2.ts';
import { PodGroup } from './v1beta1.ts';

type Group = scheduling.PodGroupV1beta1;

function stateText({ status }: Group): string {
  const conditionOf = (wanted: string) => status?.conditions?.find(({ type }) => type === wanted);
  const disruption = conditionOf('DisruptionTarget');
  if (disruption !== undefined) return disruption.reason ?? '';
  const scheduled = conditionOf('PodGroupInitiallyScheduled');
  if (scheduled === undefined) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}

const podGroupTable: TableDefinition<Group> = {
  columns: [
    nameColumn,
    column('Policy', 'How pods of the group are scheduled.'),
    column('Workload', 'Name of the workload with the template of the group.'),
    column('Status', 'State of the group.'),
    ageColumn,
  ],
  cells: (group) => [
    nameCell(group),
    policyText(group),
    workloadText(group),
    stateText(group),
    ageCell(group),
  ],
};

/** Statuses belong to claims of the spec. */
function validateClaimStatuses({ spec, status }: Group): readonly FieldError[] {
  const known = new Set((spec?.resourceClaims ?? []).map(({ name }) => name));
  return (status?.resourceClaimStatuses ?? []).flatMap(({ name }, i) =>
    known.has(name)
      ? []
      : [
          fieldError.invalid(
            `status.resourceClaimStatuses[${i}].name`,
            name,
            'must match the name of an entry in `spec.resourceClaims`',
          ),
        ],
  );
}

export const podGroups: ResourceType = defineResource({
  group: 'scheduling',
  resource: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
  versions: groupVersions(PodGroup, { schema: PodGroupV1Alpha2, lens: podGroupLensV1Alpha2 }),
  table: podGroupTable,
  strategy: strategyOf<Group>({
    unconditionalUpdate: false,
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status: statusOnlyRules(validateClaimStatuses) },
  }),
  subresources: [statusSubresource('PodGroup', 'scheduling', 'v1beta1')],
});
