import type { Pod } from '@orch/kinds/core';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, wideColumn } from '../../table.ts';
import { type PodState, podState } from './table-state.ts';

const restartsDescription = 'How often containers were restarted, and when the last time was.';

const restartsCell = ({ restarts, lastRestart }: PodState): Cell =>
  lastRestart === undefined
    ? String(restarts)
    : { age: lastRestart, prefix: `${restarts} (`, suffix: ' ago)' };

/** The number of readiness gates whose condition holds, out of all. */
function gatesText(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const conditions = pod.status?.conditions ?? [];
  const open = gates.filter((gate) =>
    conditions.some((one) => one.type === gate.conditionType && one.status === 'True'),
  );
  return `${open.length}/${gates.length}`;
}

const ended: Readonly<Record<string, string>> = {
  Succeeded: 'All containers have done their work.',
  Failed: 'A container has failed, and none is restarted.',
};

const definition = (
  restarts: TableDefinition['columns'][number],
  cell: (state: PodState) => Cell,
): TableDefinition<Pod> => ({
  columns: [
    nameColumn,
    column('Ready', 'Containers that are ready, out of all.'),
    column('Status', 'State of the pod, or the reason of a failure.'),
    restarts,
    ageColumn,
    wideColumn('IP', 'Address of the pod.'),
    wideColumn('Node', 'Node that the pod runs on.'),
    wideColumn('Nominated Node', 'Node on which other pods are evicted for the pod.'),
    wideColumn('Readiness Gates', 'Conditions of readiness gates that hold, out of all.'),
  ],
  cells(pod) {
    const state = podState(pod);
    const spec = pod.spec ?? {};
    const status = pod.status ?? {};
    return [
      nameCell(pod),
      `${state.readyContainers}/${(spec.containers ?? []).length}`,
      state.text,
      cell(state),
      ageCell(pod),
      orNone((status.podIPs ?? [])[0]?.ip ?? ''),
      orNone(spec.nodeName ?? ''),
      orNone(status.nominatedNodeName ?? ''),
      gatesText(pod),
    ];
  },
  conditions(pod) {
    const phase = pod.status?.phase ?? '';
    const message = Object.hasOwn(ended, phase) ? ended[phase] : undefined;
    return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason: phase, message }];
  },
});

export const podTable: TableDefinition<Pod> = definition(
  column('Restarts', restartsDescription),
  restartsCell,
);

/** Before release 1.22 the number of restarts was shown alone. */
export const podTableWithCount: TableDefinition<Pod> = definition(
  column('Restarts', restartsDescription, { type: 'integer' }),
  ({ restarts }) => restarts,
);
