import type { EventNote } from '@orch/client';

/** The event of an owner that has created a pod. */
export const createdPod = (name: string): EventNote => ({
  type: 'Normal',
  reason: 'SuccessfulCreate',
  message: `Created pod: ${name}`,
});

/** The event of an owner that has deleted a pod. */
export const deletedPod = (name: string): EventNote => ({
  type: 'Normal',
  reason: 'SuccessfulDelete',
  message: `Deleted pod: ${name}`,
});
