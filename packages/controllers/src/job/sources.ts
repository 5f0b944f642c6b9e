import {
  type Change,
  type Informer,
  informerSource,
  type kinds,
  type Source,
  type Stored,
} from '@orch/client';
import { ownerSources } from '../pods/owner-sources.ts';

type Job = Stored<kinds.batch.Job>;

/** Whether a change is one of the status alone. */
const isOfStatus = (change: Change<Job>): boolean =>
  change.type === 'updated' && change.old.metadata.generation === change.object.metadata.generation;

/** Returns the sources of keys: a job is due at once when it is written, and after `batchMs` when its pods change. */
export function jobSources(
  jobs: Informer<kinds.batch.Job>,
  pods: Informer<kinds.core.Pod>,
  batchMs: number,
): Source<string>[] {
  return [
    informerSource(jobs, { filter: (change) => !isOfStatus(change) }),
    informerSource(jobs, { filter: isOfStatus, delayMs: batchMs }),
    ...ownerSources(pods, jobs).map((source) => delayed(source, batchMs)),
  ];
}

const delayed = (source: Source<string>, delayMs: number): Source<string> => ({
  run: (add, signal) => source.run((key) => add(key, delayMs), signal),
  synced: (signal) => source.synced(signal),
});
