import type { Description } from './description.ts';
import { timeText } from './times.ts';

/** A condition of a status. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** The conditions of a workload: type, status and reason. */
export function describeConditions(out: Description, conditions: readonly Condition[] | undefined): void {
  if (conditions === undefined || conditions.length === 0) return;
  out.line(0, 'Conditions:');
  out.line(1, 'Type', 'Status', 'Reason');
  out.line(1, '----', '------', '------');
  for (const { type, status, reason = '' } of conditions) out.line(1, `${type} `, status, reason);
}

/** Conditions with the time of their last change. */
export function describeTimedConditions(
  out: Description,
  conditions: readonly Condition[] | undefined,
): void {
  if (conditions === undefined || conditions.length === 0) return;
  out.line(0, 'Conditions:');
  out.line(1, 'Type', 'Status', 'LastTransitionTime', 'Reason', 'Message');
  out.line(1, '----', '------', '------------------', '------', '-------');
  for (const { type, status, lastTransitionTime, reason = '', message = '' } of conditions)
    out.line(1, type, status, timeText(lastTransitionTime), reason, message);
}
