import type { EventNote } from '@orch/client';

const normal = (reason: string, message: string): EventNote => ({ type: 'Normal', reason, message });

/** The events of a CronJob. */
export const createdJob = (name: string): EventNote => normal('SuccessfulCreate', `Created job ${name}`);
export const deletedJob = (name: string): EventNote => normal('SuccessfulDelete', `Deleted job ${name}`);
export const finishedJob = (name: string, condition: string): EventNote =>
  normal('SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
export const stillActive: EventNote = normal(
  'JobAlreadyActive',
  'Not starting job because prior execution is running and concurrency policy is Forbid',
);
