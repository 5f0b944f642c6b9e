import type { EventNote, kinds, Stored } from '@orch/client';

type Job = Stored<kinds.batch.Job>;
type JobStatus = kinds.batch.JobStatus;
type JobCondition = kinds.batch.JobCondition;

const conditionOf = ({ conditions = [] }: JobStatus, type: string): JobCondition | undefined =>
  conditions.find((each) => each.type === type);

const tooManySucceeded: EventNote = {
  type: 'Warning',
  reason: 'TooManySucceededPods',
  message: 'Too many succeeded pods running after completion count reached',
};

/** The event about a job with a mode of completion that the controller does not know. It leaves such a job alone. */
export const unknownMode: EventNote = {
  type: 'Warning',
  reason: 'UnknownCompletionMode',
  message: 'Skipped Job sync because completion mode is unknown',
};

/** The events about what a new status of a job says and the one before did not. */
export function eventsOf({ spec, status: before = {} }: Job, now: JobStatus): readonly EventNote[] {
  const changed = (type: string, status: string): JobCondition | undefined => {
    const condition = conditionOf(now, type);
    return condition?.status === status && conditionOf(before, type)?.status !== status
      ? condition
      : undefined;
  };
  const notes: EventNote[] = [];
  if (changed('Complete', 'True') !== undefined) {
    if ((now.succeeded ?? 0) > (spec?.completions ?? Number.POSITIVE_INFINITY)) notes.push(tooManySucceeded);
    notes.push({ type: 'Normal', reason: 'Completed', message: 'Job completed' });
  }
  const failed = changed('Failed', 'True');
  if (failed !== undefined)
    notes.push({ type: 'Warning', reason: failed.reason ?? '', message: failed.message ?? '' });
  if (changed('Suspended', 'True') !== undefined)
    notes.push({ type: 'Normal', reason: 'Suspended', message: 'Job suspended' });
  if (changed('Suspended', 'False') !== undefined)
    notes.push({ type: 'Normal', reason: 'Resumed', message: 'Job resumed' });
  return notes;
}
