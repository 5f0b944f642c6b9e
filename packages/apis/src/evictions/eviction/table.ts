import type {
  EvictionV1alpha1 as Eviction,
  ResponderStatusV1alpha1 as ResponderStatus,
  TargetResponderV1alpha1 as TargetResponder,
} from '@orch/kinds/lifecycle';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from '../../table.ts';
import { stateText, targetCells } from '../shared/cells.ts';

const UNSET = '<unset>';
const isBegun = ({ state }: TargetResponder): boolean => state !== 'Inactive';

/** The active responder, or else the last one that has ended. */
const responderOf = (responders: readonly TargetResponder[]): TargetResponder | undefined =>
  responders.findLast(({ state }) => state === 'Active') ?? responders.findLast(isBegun);

function progressCell({ state = '' }: TargetResponder, { startTime, completionTime }: ResponderStatus): Cell {
  if (state === 'Active')
    return startTime === undefined ? state : { age: startTime, prefix: 'Started (', suffix: ' ago)' };
  return state === 'Completed' && completionTime !== undefined
    ? { age: completionTime, prefix: `${state} (`, suffix: ' ago)' }
    : state;
}

function finishCell(
  { state }: TargetResponder,
  { startTime, expectedCompletionTime }: ResponderStatus,
): Cell {
  if (state !== 'Active') return '-';
  return startTime === undefined || expectedCompletionTime === undefined
    ? '<unknown>'
    : expectedCompletionTime;
}

function heartbeatCell({ heartbeatTime }: ResponderStatus): Cell {
  return heartbeatTime === undefined ? UNSET : { age: heartbeatTime, suffix: ' ago' };
}

/** The first requester who still wants the eviction, and how many others do. */
function requestersText({ status }: Eviction): string {
  const requesters = status?.requesters ?? [];
  const wanting = requesters.filter(({ intent }) => intent !== 'Withdrawn').map(({ name = '' }) => name);
  const [first, ...others] = wanting.sort();
  if (first === undefined) return requesters.length > 0 ? '<withdrawn>' : '<none>';
  return others.length > 0 ? `${first} + ${others.length} more...` : first;
}

export const evictionTable: TableDefinition<Eviction> = {
  columns: [
    nameColumn,
    column('Target', 'Name of the object to evict.'),
    column('Target Type', 'Kind of the object to evict.'),
    column('Status', 'Progress or result of the eviction.'),
    column('Active Responder', 'Program whose turn it is, and how many have had theirs.'),
    column('Responder Status', 'Progress of that program.'),
    column('Responder Expected Finish', 'When that program expects to end.'),
    column('Requesters', 'Who wants the eviction.'),
    ageColumn,
    wideColumn('Responder Heartbeat', 'When that program last reported that it is at work.'),
    wideColumn('Responder Status Message', 'Human-readable details of that program.'),
  ],
  cells(eviction) {
    const { targetResponders = [], responders = [] } = eviction.status ?? {};
    const responder = responderOf(targetResponders);
    const begun = `(${targetResponders.filter(isBegun).length}/${targetResponders.length})`;
    const progress = responders.find(({ name }) => name === responder?.name);
    const isKnown = responder !== undefined && progress !== undefined;
    return [
      nameCell(eviction),
      ...targetCells(eviction),
      stateText(eviction),
      `${responder?.name ?? UNSET} ${begun}`,
      isKnown ? progressCell(responder, progress) : UNSET,
      isKnown ? finishCell(responder, progress) : '<unknown>',
      requestersText(eviction),
      ageCell(eviction),
      progress === undefined ? UNSET : heartbeatCell(progress),
      (progress?.message ?? '').trim() || UNSET,
    ];
  },
};
