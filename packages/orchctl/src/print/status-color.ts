import type { Color } from './style.ts';

/** Columns of the states of objects. */
const statusColumns: ReadonlySet<string> = new Set([
  'STATUS',
  'PHASE',
  'REASON',
  'STATE',
  'TYPE',
  'CONDITION',
]);

const failed =
  /^(?:Failed|Error|Unknown|Lost|Denied|NotReady|Evicted|OOMKilled|DeadlineExceeded|NodeLost)$|BackOff$|Err[A-Z]|^Err|Error$|^Failed/;
const pending =
  /^(?:Pending|Terminating|Creating|ContainerCreating|PodInitializing|Suspended|Released|Warning|SchedulingDisabled|SchedulingGated|Progressing)$|^Init:/;

/** The color of a cell: red for failures, yellow for states that are not ready yet; undefined for all others. */
export function statusColor(title: string, text: string): Color | undefined {
  if (!statusColumns.has(title)) return undefined;
  // Several states are separated by commas: `Ready,SchedulingDisabled`, `Approved,Failed`.
  const states = text.split(',').map((state) => state.trim());
  if (states.some((state) => failed.test(state))) return 'red';
  return states.some((state) => pending.test(state)) ? 'yellow' : undefined;
}
