import type { MessagePort } from 'node:worker_threads';
import type { Metrics } from '@orch/machinery';
import type { DebugEndpoints } from '@orch/program';
import type { ThreadStore } from '@orch/storage';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import type { AuditOfThreads } from './audit-of-threads.ts';
import type { AskThread } from './debug-of-threads.ts';
import type { ChangedSetting } from './live-settings.ts';
import type { Questions, ShareEventTokens, ShareQuestionLimits, ThreadMemory } from './messages.ts';
import type { AnswerRecords } from './records-of-threads.ts';

/** The process of a further thread, for the server in it. */
export interface FurtherThread {
  /** The port of the process, which the first thread has opened. */
  readonly port: number;
  /** Number of this thread in the process. */
  readonly number: number;
  /** The name of the process among replicas. */
  readonly replica: string;
  readonly memory: ThreadMemory;
  /** The embedded store of the process, which the first thread has opened; undefined when it has none. */
  readonly store: ThreadStore | undefined;
  /** The objects of the first thread and their changes arrive here, those of each store at its port. */
  readonly feeds: readonly MessagePort[];
  readonly audit: AuditOfThreads;
  /** The metrics of all threads. */
  readonly exposition: Metrics['exposition'];
  readonly controllerHealth: Questions['controllerHealth'];
  /** What the process remembers of its metrics. */
  readonly lastHour: Questions['lastHour'];
  /** The requests that the other threads remember. */
  readonly recordsOfOthers: Questions['records'];
  /** Answers questions of other threads about remembered requests, from now on. */
  answerRecords(answer: AnswerRecords): void;
  /** The buckets of the first thread for the limits of events, in place of own ones. */
  readonly eventTokens: ShareEventTokens;
  /** The limits of the first thread for questions to other replicas, instead of the limits of this thread. */
  readonly questionLimits: ShareQuestionLimits;
  /** Asks another thread for its answer to a request for debugging. */
  readonly askDebug: AskThread;
  /** Answers requests for debugging that other threads have received, from now on. */
  answerDebug(endpoints: DebugEndpoints): void;
  /** Tells the other threads that a setting has changed. */
  announce(changed: ChangedSetting): void;
  /** Passes settings that another thread has changed, from now on. */
  onChanged(apply: (changed: ChangedSetting) => void): void;
  /** Passes certificates that the first thread has renewed, from now on. */
  onRenewed(use: (renewed: RenewedPairs) => void): void;
}
