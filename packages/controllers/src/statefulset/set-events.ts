import type { EventNote, kinds, Stored } from '@orch/client';
import { podName } from './pod.ts';

type StatefulSet = Stored<kinds.apps.StatefulSet>;

const created = (message: string): EventNote => ({ type: 'Normal', reason: 'SuccessfulCreate', message });

/** The event of a set that has created a claim of a pod. */
export const createdClaim = (
  set: StatefulSet,
  { claim, ordinal }: { readonly claim: string; readonly ordinal: number },
): EventNote =>
  created(`Create Claim ${claim} Pod ${podName(set, ordinal)} in StatefulSet ${set.metadata.name} success`);

/** The event of a set that has created a pod. */
export const createdPod = ({ metadata }: StatefulSet, pod: string): EventNote =>
  created(`Create Pod ${pod} in StatefulSet ${metadata.name} successful`);

/** The event of a set that has deleted a pod. */
export const deletedPod = ({ metadata }: StatefulSet, pod: string): EventNote => ({
  type: 'Normal',
  reason: 'SuccessfulDelete',
  message: `Delete Pod ${pod} in StatefulSet ${metadata.name} successful`,
});
