import type { EventNote, kinds, Stored } from '@orch/client';

type Job = Stored<kinds.batch.Job>;
type JobStatus = kinds.batch.JobStatus;
type JobCondition = kinds.batch.JobCondition;

const conditionOf = ({ conditions = [] }: JobStatus, type: string): JobCondition | undefined =>
  conditions.find((each) => each.type === type);

/** The events about what a new status of a job says and the one before did not. */
export function eventsOf({ status: before = {} }: Job, now: JobStatus): readonly EventNote[] {
  const changed = (type: string, status: string): JobCondition | undefined => {
    const condition = conditionOf(now, type);
    return condition?.status === status && conditionOf(before, type)?.status !== status
      ? condition
      : undefined;
  };
  const notes: EventNote[] = [];
  if (changed('Complete', 'True') !== undefined)
    notes.push({ type: 'Normal', reason: 'Completed', message: 'Job completed' });
  const failed = changed('Failed', 'True');
  if (failed !== undefined)
    notes.push({ type: 'Warning', reason: failed.reason ?? '', message: failed.message ?? '' });
  if (changed('Suspended', 'True') !== undefined)
    notes.push({ type: 'Normal', reason: 'Suspended', message: 'Job suspended' });
  if (changed('Suspended', 'False') !== undefined)
    notes.push({ type: 'Normal', reason: 'Resumed', message: 'Job resumed' });
  return notes;
}
