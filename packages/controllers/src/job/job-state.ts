import { isBeingDeleted, type kinds, type Stored } from '@orch/client';

type Job = Stored<kinds.batch.Job>;
type Pod = Stored<kinds.core.Pod>;

export interface JobKeys {
  /** The finalizer of pods that are not counted yet. */
  readonly tracking: string;
  /** Whether the release has it. Without it, the existing pods are counted each time. */
  readonly isTracked: boolean;
  /** The annotation with the number of a pod. */
  readonly index: string;
  /** The annotation with the number of failures of an index before this pod. */
  readonly failures: string;
  /** The annotation with the number of those failures that the policy of the job ignores. */
  readonly ignored: string;
  /** Whether pods have a label with their number, too. */
  readonly hasIndexLabel: boolean;
  /** Whether a job whose end is decided says so by a condition, and ends when all its pods have ended. */
  readonly waitsForPods: boolean;
}

export interface JobState {
  readonly job: Job;
  /** The pods that it controls. */
  readonly pods: readonly Pod[];
  readonly keys: JobKeys;
}

const modes: ReadonlySet<string> = new Set(['NonIndexed', 'Indexed']);

export const hasKnownMode = ({ spec }: Job): boolean => modes.has(spec?.completionMode ?? 'NonIndexed');
export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed';
export const completionsOf = ({ spec }: Job): number | undefined => spec?.completions ?? undefined;
export const hasFinalizer = ({ metadata }: Pod, { tracking }: JobKeys): boolean =>
  metadata.finalizers?.includes(tracking) === true;

/** The number of a pod of an indexed job; undefined when it has none that the job uses. */
export function indexOf({ metadata }: Pod, job: Job, { index }: JobKeys): number | undefined {
  const text = metadata.annotations?.[index] ?? '';
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number < (completionsOf(job) ?? 0) ? number : undefined;
}

/** A pod that is being deleted may never report its end, so it has failed, unless the job waits for the report. */
export const hasFailed = (pod: Pod, { spec }: Job): boolean =>
  pod.status?.phase === 'Failed' ||
  (spec?.podReplacementPolicy !== 'Failed' && isBeingDeleted(pod) && pod.status?.phase !== 'Succeeded');

export const hasSucceeded = ({ status }: Pod): boolean => status?.phase === 'Succeeded';
