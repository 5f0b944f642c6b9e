import type { MessagePort } from 'node:worker_threads';
import type { EventRateLimitParts } from '@orch/admission';
import type { HealthRecord } from '@orch/console/health';
import type { MetricsFormat } from '@orch/machinery';
import type { RequestRecord } from '@orch/pipeline';
import type { DebugQuestion, FlagsMessage } from '@orch/program';
import type { LocalHealth } from '@orch/registry';
import type { StoreLocation } from '@orch/storage';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import type { CountQuestions, QuestionRefusal } from '../peers/question-limits.ts';
import type { ChangedSetting } from './live-settings.ts';
import type { RecordsQuery } from './records-of-threads.ts';

/** The input of a thread. */
export interface ThreadInput {
  readonly flags: FlagsMessage<ApiServerFlags>;
  /** Number of the thread in the process; the first thread is 1. */
  readonly number: number;
  /** The name of the process among replicas. */
  readonly replica: string;
  readonly memory: ThreadMemory;
}

/** The memory that all threads of a process share. */
export interface ThreadMemory {
  /** The state of the audit file. */
  readonly audit: SharedArrayBuffer;
  /** The numbers of requests in flight. */
  readonly inflight: SharedArrayBuffer;
  /** The number of backups that are being made. */
  readonly backups: SharedArrayBuffer;
  /** The secret of the TLS session tickets of the process. */
  readonly ticketSecret: SharedArrayBuffer;
  /** The revisions that the watch caches have reached, for each store. */
  readonly progress: readonly SharedArrayBuffer[];
}

/** A message of the first thread to a further one. */
export type ToThread =
  /** Start to serve on a port, which the first thread has opened. */
  | { readonly type: 'serve'; readonly port: number }
  /** Complete all requests and end. */
  | { readonly type: 'stop' }
  /** Send the values of the metrics. */
  | { readonly type: 'metrics' }
  /** Use other certificates for new connections. */
  | { readonly type: 'renewed'; readonly renewed: RenewedPairs }
  /** Change a setting. */
  | { readonly type: 'setting'; readonly changed: ChangedSetting }
  /** The objects of the first thread and their changes arrive at these ports, one for each store. */
  | { readonly type: 'feeds'; readonly ports: readonly MessagePort[] }
  /** Send the remembered requests that answer the question. */
  | { readonly type: 'records'; readonly query: RecordsQuery }
  /** A writer of the embedded store was started, and this port leads to it. */
  | { readonly type: 'writer'; readonly location: StoreLocation; readonly port: MessagePort }
  /** Answer a request for debugging at this port. */
  | { readonly type: 'debug'; readonly question: DebugQuestion; readonly port: MessagePort }
  /** The first thread has taken lines of the audit with this number of characters. */
  | { readonly type: 'auditTaken'; readonly length: number }
  /** The answer to the question with this number. */
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  /** The question with this number has no answer. */
  | { readonly type: 'refused'; readonly id: number; readonly message: string };

/** Replaces the buckets of a thread for the limits of events by those of its process. */
export type ShareEventTokens = NonNullable<EventRateLimitParts['eventTokens']>;

/** Replaces the limits of a thread for questions to other replicas by those of its process. */
export type ShareQuestionLimits = (own: CountQuestions) => CountQuestions;

/** The questions of a further thread to the first one, with their answers. */
export interface Questions {
  /** The metrics of all threads. */
  exposition(format: MetricsFormat): Promise<string>;
  /** The health of the controllers of this process; undefined without controllers. */
  controllerHealth(): Promise<LocalHealth | undefined>;
  /** Takes tokens of the limits of events. */
  eventTokens(keys: readonly string[]): Promise<number | undefined>;
  /** Counts a question of a user to other replicas. */
  beginQuestion(user: string): Promise<QuestionRefusal | undefined>;
  endQuestion(user: string): Promise<void>;
  /** The requests that the other threads remember. */
  records(query: RecordsQuery): Promise<readonly RequestRecord[]>;
  /** What the process remembers of its metrics. */
  lastHour(): Promise<HealthRecord>;
}

/** One question. */
export type Question = {
  [Name in keyof Questions]: { readonly name: Name; readonly of: Parameters<Questions[Name]> };
}[keyof Questions];

/** A message of a further thread to the first one. */
export type FromThread =
  /** The thread serves requests. */
  | { readonly type: 'ready' }
  /** The thread cannot serve, and ends. */
  | { readonly type: 'failed'; readonly message: string }
  /** The families of the thread in the text format: the answer to the earliest request that has none. */
  | { readonly type: 'metrics'; readonly text: string }
  /** Remembered requests: the answer to the earliest request for them that has none. */
  | { readonly type: 'records'; readonly records: readonly RequestRecord[] }
  /** A setting that has changed in the thread. */
  | { readonly type: 'setting'; readonly changed: ChangedSetting }
  | { readonly type: 'question'; readonly id: number; readonly question: Question }
  /** A request for debugging; the thread with this number answers at the port. */
  | {
      readonly type: 'debug';
      readonly thread: number;
      readonly question: DebugQuestion;
      readonly port: MessagePort;
    }
  /** Lines of the audit for standard output. */
  | { readonly type: 'auditLines'; readonly lines: string }
  /** The thread has rotated the audit file. */
  | { readonly type: 'auditRotated' };
