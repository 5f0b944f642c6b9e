import type { MessagePort } from 'node:worker_threads';
import type { TakeEventTokens } from '@orch/admission';
import { type ObjectFeed, SharedProgress } from '@orch/cache';
import { MIN_TICKET_SECRET_BYTES } from '@orch/http';
import type { Env } from '@orch/machinery';
import { abortable, aborted } from '@orch/machinery/concurrency';
import { type RequestRecord, SharedFile, SharedInflight } from '@orch/pipeline';
import { type DebugEndpoints, type DebugQuestion, flagsMessage } from '@orch/program';
import type { LocalPrograms } from '@orch/registry';
import type { StartedWriter } from '@orch/storage';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import type { CountQuestions } from '../peers/question-limits.ts';
import type { AuditOfThreads, ServedAudit } from './audit-of-threads.ts';
import { type AskThread, answerAt, answerFrom } from './debug-of-threads.ts';
import type { ChangedSetting } from './live-settings.ts';
import type { Questions, ShareEventTokens, ShareQuestionLimits, ThreadMemory } from './messages.ts';
import type { AnswerRecords, RecordsQuery } from './records-of-threads.ts';
import { ServingThread } from './serving-thread.ts';

export interface ServingThreadsOptions {
  readonly flags: ApiServerFlags;
  /** Number of further threads. */
  readonly count: number;
  /** Number of stores. */
  readonly stores: number;
  readonly env: Pick<Env, 'clock' | 'metrics' | 'random'>;
  /** Other programs in this process. */
  readonly localPrograms?: LocalPrograms | undefined;
  /** The program of a thread; the source file when absent. */
  readonly url?: URL | undefined;
}

/** The further threads of a process, which serve the API as replicas on the port of the first thread (design 0020). */
export class ServingThreads {
  /** The number of the first thread. */
  readonly number = 1;
  readonly memory: ThreadMemory;
  /** The name of the process among replicas. */
  readonly replica: string;
  /** The audit of the first thread. */
  readonly audit: AuditOfThreads;
  /** The buckets of this thread are those of the process. */
  readonly eventTokens: ShareEventTokens = (own) => {
    this.#takeEventTokens = own;
    return own;
  };
  /** The limits of this thread for questions to other replicas are those of the process. */
  readonly questionLimits: ShareQuestionLimits = (own) => {
    this.#countQuestions = own;
    return own;
  };
  /** Asks another thread for its answer to a request for debugging. */
  readonly askDebug: AskThread;
  readonly #threads: readonly ServingThread[];
  #audit: ServedAudit | undefined;
  #recordsFor: AnswerRecords = () => [];
  #debug: DebugEndpoints | undefined;
  #takeEventTokens: TakeEventTokens | undefined;
  #countQuestions: CountQuestions | undefined;
  #lastHour: Questions['lastHour'] | undefined;
  #apply: (changed: ChangedSetting) => void = () => undefined;
  #areServing = false;

  /** Starts the threads, which load the program and wait for the port. */
  constructor({ flags, count, stores, env, url, localPrograms }: ServingThreadsOptions) {
    const replica = env.random.uuid();
    this.replica = replica;
    const program = url ?? new URL('../serving-thread.ts', import.meta.url);
    const memory = memoryOf({
      threads: count + 1,
      stores,
      ticketSecret: env.random.bytes(MIN_TICKET_SECRET_BYTES),
    });
    this.memory = memory;
    this.audit = { memory: memory.audit };
    const shared = { flags: flagsMessage(flags), memory, replica };
    const audit: ServedAudit = {
      write: (lines) => this.#audit?.write(lines),
      rotated: () => this.#audit?.rotated(),
    };
    const onChanged = (changed: ChangedSetting): void => {
      this.#apply(changed);
      this.announce(changed);
    };
    const { clock, metrics } = env;
    const answersTo = (asker: number): Questions => ({
      exposition: (format) => metrics.exposition(format),
      controllerHealth: async () => localPrograms?.controllerManager?.(),
      eventTokens: async (keys) => whenReady(this.#takeEventTokens)(keys),
      beginQuestion: async (user) => whenReady(this.#countQuestions).begin(user),
      endQuestion: async (user) => whenReady(this.#countQuestions).end(user),
      lastHour: async () => whenReady(this.#lastHour)(),
      records: async (query) => [
        ...this.#recordsFor(query),
        ...(await this.#recordsOf((thread) => thread.number !== asker, query)),
      ],
    });
    const onDebug = this.#passDebug.bind(this);
    this.askDebug = (thread, question, signal) =>
      answerFrom((port) => onDebug(thread, question, port), thread, clock, signal);
    const parts = { program, clock, metrics, audit, onChanged, onDebug };
    this.#threads = Array.from({ length: count }, (_, at) => {
      const number = at + 2;
      return new ServingThread({ ...parts, answers: answersTo(number), input: { ...shared, number } });
    });
  }

  /** Tells the threads that a setting has changed. */
  announce(changed: ChangedSetting): void {
    for (const thread of this.#threads) thread.change(changed);
  }

  /** Passes settings that another thread has changed, from now on. */
  onChanged(apply: (changed: ChangedSetting) => void): void {
    this.#apply = apply;
  }

  /** Makes the threads serve on a port. Resolves when all do; rejects with the cause when one of them cannot. */
  async serve(port: number, signal: AbortSignal): Promise<void> {
    for (const thread of this.#threads) thread.serve(port);
    await abortable(Promise.all(this.#threads.map((thread) => thread.ready)), signal);
    this.#areServing = true;
  }

  /** Whether all threads serve. */
  get areServing(): boolean {
    return this.count === 0 || this.#areServing;
  }

  /** Number of further threads. */
  get count(): number {
    return this.#threads.length;
  }

  /** Makes the threads follow the objects of this one, by a feed for each store. */
  follow(feeds: readonly ObjectFeed[]): void {
    for (const thread of this.#threads) thread.follow(feeds);
  }

  /** Answers questions of other threads about remembered requests, from now on. */
  answerRecords(answer: AnswerRecords): void {
    this.#recordsFor = answer;
  }

  /** Answers questions of other threads about the metrics of the process, from now on. */
  answerLastHour(answer: Questions['lastHour']): void {
    this.#lastHour = answer;
  }

  /** Answers requests for debugging that other threads have received, from now on. */
  answerDebug(endpoints: DebugEndpoints): void {
    this.#debug = endpoints;
  }

  /** The requests that the other threads remember. */
  recordsOfOthers(query: RecordsQuery): Promise<readonly RequestRecord[]> {
    return this.#recordsOf(() => true, query);
  }

  /** Receives the audit of the threads, from now on. */
  serveAudit(audit: ServedAudit): void {
    this.#audit = audit;
  }

  /** Makes the threads use a writer of the embedded store. */
  useWriter(writer: StartedWriter): void {
    for (const thread of this.#threads) thread.useWriter(writer);
  }

  /** Makes the threads use renewed certificates. */
  renew(renewed: RenewedPairs): void {
    for (const thread of this.#threads) thread.renew(renewed);
  }

  /** Runs until the signal aborts. Rejects with the cause when a thread ends earlier. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.race([aborted(signal), ...this.#threads.map((thread) => thread.failed)]);
  }

  /** Makes the threads complete their requests and end; they are terminated when the signal aborts first. */
  async drain(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.drain(signal)));
  }

  #passDebug(number: number, question: DebugQuestion, port: MessagePort): void {
    const thread = this.#threads.find((one) => one.number === number);
    if (thread === undefined) answerAt(port, this.#debug, question);
    else thread.debug(question, port);
  }

  async #recordsOf(
    isAsked: (thread: ServingThread) => boolean,
    query: RecordsQuery,
  ): Promise<readonly RequestRecord[]> {
    const asked = this.#threads.filter(isAsked).map((thread) => thread.records(query));
    return (await Promise.all(asked)).flat();
  }

  /** Ends the threads that still run, within a few seconds. */
  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

interface Shared {
  readonly threads: number;
  readonly stores: number;
  readonly ticketSecret: Uint8Array;
}

const memoryOf = ({ threads, stores, ticketSecret }: Shared): ThreadMemory => ({
  audit: new SharedArrayBuffer(SharedFile.bytes),
  inflight: new SharedArrayBuffer(SharedInflight.bytes),
  backups: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  ticketSecret: shared(ticketSecret),
  progress: Array.from({ length: stores }, () => new SharedArrayBuffer(SharedProgress.bytes(threads))),
});

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

function whenReady<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('the first thread of the server is not ready');
  return part;
}
