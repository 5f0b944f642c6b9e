import type { ApiObject } from '@orch/machinery';
import { asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, wideColumn } from '../../table.ts';
import { type PodState, podState } from './table-state.ts';

const restartsDescription = 'How often containers were restarted, and when the last time was.';

const restartsCell = ({ restarts, lastRestart }: PodState): Cell =>
  lastRestart === undefined
    ? String(restarts)
    : { age: lastRestart, prefix: `${restarts} (`, suffix: ' ago)' };

/** Conditions of the readiness gates that hold, out of all. */
function gatesText(pod: ApiObject): string {
  const gates = asObjects(specOf(pod)['readinessGates']);
  if (gates.length === 0) return '<none>';
  const conditions = asObjects(statusOf(pod)['conditions']);
  const open = gates.filter((gate) =>
    conditions.some((one) => one['type'] === gate['conditionType'] && one['status'] === 'True'),
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
): TableDefinition => ({
  columns: [
    nameColumn,
    column('Ready', 'Containers that are ready, out of all.'),
    column('Status', 'What the pod is doing, or what is wrong with it.'),
    restarts,
    ageColumn,
    wideColumn('IP', 'Address of the pod.'),
    wideColumn('Node', 'Node that the pod runs on.'),
    wideColumn('Nominated Node', 'Node on which room is made for the pod.'),
    wideColumn('Readiness Gates', 'Conditions of readiness gates that hold, out of all.'),
  ],
  cells(pod) {
    const state = podState(pod);
    const spec = specOf(pod);
    const status = statusOf(pod);
    return [
      nameCell(pod),
      `${state.readyContainers}/${asObjects(spec['containers']).length}`,
      state.text,
      cell(state),
      ageCell(pod),
      orNone(asText(asObjects(status['podIPs'])[0]?.['ip'])),
      orNone(asText(spec['nodeName'])),
      orNone(asText(status['nominatedNodeName'])),
      gatesText(pod),
    ];
  },
  conditions(pod) {
    const phase = asText(statusOf(pod)['phase']);
    const message = Object.hasOwn(ended, phase) ? ended[phase] : undefined;
    return message === undefined ? [] : [{ type: 'Completed', status: 'True', reason: phase, message }];
  },
});

export const podTable: TableDefinition = definition(column('Restarts', restartsDescription), restartsCell);

/** Before release 1.22 the number of restarts stood alone. */
export const podTableWithCount: TableDefinition = definition(
  column('Restarts', restartsDescription, { type: 'integer' }),
  ({ restarts }) => restarts,
);
