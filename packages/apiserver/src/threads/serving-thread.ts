import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ObjectFeed } from '@orch/cache';
import { type Clock, type Metrics, messageOf } from '@orch/machinery';
import { abortable, aborted } from '@orch/machinery/concurrency';
import type { RequestRecord } from '@orch/pipeline';
import { type DebugQuestion, StartError } from '@orch/program';
import type { StartedWriter } from '@orch/storage';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import { answerInTime } from './answer-in-time.ts';
import type { ServedAudit } from './audit-of-threads.ts';
import type { ChangedSetting } from './live-settings.ts';
import type { FromThread, Question, Questions, ThreadInput, ToThread } from './messages.ts';
import type { RecordsQuery } from './records-of-threads.ts';

/** Time that a thread has to end after the limit of a shutdown, or after a failure. */
const END_MS = 5_000;

export interface ThreadOptions {
  readonly program: URL;
  readonly input: ThreadInput;
  readonly clock: Clock;
  /** Metrics of the first thread, to which those of this one are added. */
  readonly metrics: Metrics;
  readonly answers: Questions;
  readonly audit: ServedAudit;
  /** Receives settings that have changed in the thread. */
  readonly onChanged: (changed: ChangedSetting) => void;
  /** Passes a request for debugging to the thread with this number, which answers at the port. */
  readonly onDebug: (thread: number, question: DebugQuestion, port: MessagePort) => void;
}

/** A further thread, for the first one. */
export class ServingThread {
  /** Resolves when the thread serves requests. */
  readonly ready: Promise<void>;
  /** Rejects when the thread ends before it was asked to. Never resolves. */
  readonly failed: Promise<never>;
  /** Number of the thread in the process. */
  readonly number: number;
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #ready = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #exit = new AbortController();
  readonly #metrics: ((text: string) => void)[] = [];
  readonly #records: ((records: readonly RequestRecord[]) => void)[] = [];
  /** The metrics that the thread has sent last. */
  #lastMetrics = '';
  #cause = 'it ended';
  #isStopping = false;

  constructor(options: ThreadOptions) {
    const { program, input } = options;
    const name = `serving thread ${input.number}`;
    this.#options = options;
    this.number = input.number;
    this.#worker = new Worker(program, { workerData: input, name, stdin: false });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => {
      this.#cause = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
    });
    this.#worker.on('exit', () => {
      const error = new StartError(`${name}: ${this.#cause}`);
      this.#exit.abort(error);
      this.#ready.reject(error);
      if (!this.#isStopping) this.#failed.reject(error);
    });
    this.ready = this.#ready.promise;
    this.failed = this.#failed.promise;
    for (const promise of [this.ready, this.failed]) promise.catch(() => undefined);
  }

  serve(port: number): void {
    this.#send({ type: 'serve', port });
  }

  change(changed: ChangedSetting): void {
    this.#send({ type: 'setting', changed });
  }

  /** The remembered requests of the thread; none when it is busy for long. */
  records(query: RecordsQuery): Promise<readonly RequestRecord[]> {
    const answer = Promise.withResolvers<readonly RequestRecord[]>();
    this.#records.push(answer.resolve);
    this.#send({ type: 'records', query });
    return this.#inTime(answer.promise, () => []);
  }

  /** Makes the thread use a writer of the embedded store. */
  useWriter({ dir, memory, connect }: StartedWriter): void {
    const port = connect();
    const location = { dir, memory };
    this.#worker.postMessage({ type: 'writer', location, port } satisfies ToThread, [port]);
  }

  /** Makes the thread follow the objects of this one. */
  follow(feeds: readonly ObjectFeed[]): void {
    const ports = feeds.map((feed) => {
      const { port1, port2 } = new MessageChannel();
      feed.connect(port1);
      return port2;
    });
    this.#worker.postMessage({ type: 'feeds', ports } satisfies ToThread, ports);
  }

  /** Makes the thread answer a request for debugging at a port. */
  debug(question: DebugQuestion, port: MessagePort): void {
    this.#worker.postMessage({ type: 'debug', question, port } satisfies ToThread, [port]);
  }

  renew(renewed: RenewedPairs): void {
    this.#send({ type: 'renewed', renewed });
  }

  /** Makes the thread complete its requests and end; it is terminated when the signal aborts first. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#send({ type: 'stop' });
    try {
      await abortable(aborted(this.#exit.signal), signal);
    } catch {
      await this.end();
    }
  }

  /** Ends the thread within a few seconds. */
  async end(): Promise<void> {
    this.#isStopping = true;
    this.#send({ type: 'stop' });
    const cancel = this.#options.clock.schedule(END_MS, () => void this.#worker.terminate());
    await aborted(this.#exit.signal);
    cancel();
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        // Until now the thread cannot answer.
        this.#options.metrics.addPeer({ text: () => this.#metricsText() });
        this.#ready.resolve();
        break;
      case 'failed':
        this.#cause = message.message;
        break;
      case 'metrics':
        this.#lastMetrics = message.text;
        for (const resolve of this.#metrics.splice(0, 1)) resolve(message.text);
        break;
      case 'records':
        for (const resolve of this.#records.splice(0, 1)) resolve(message.records);
        break;
      case 'setting':
        this.#options.onChanged(message.changed);
        break;
      case 'auditLines':
        this.#options.audit.write(message.lines);
        this.#send({ type: 'auditTaken', length: message.lines.length });
        break;
      case 'auditRotated':
        this.#options.audit.rotated();
        break;
      case 'debug':
        this.#options.onDebug(message.thread, message.question, message.port);
        break;
      case 'question':
        void this.#answer(message);
    }
  }

  /** The metrics of the thread. Those that it sent last when it is busy: counters must not decrease. */
  async #metricsText(): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.#metrics.push(answer.resolve);
    this.#send({ type: 'metrics' });
    return this.#inTime(answer.promise, () => this.#lastMetrics);
  }

  #inTime<T>(answer: Promise<T>, otherwise: () => T): Promise<T> {
    return answerInTime(answer, { ended: this.#exit.signal, clock: this.#options.clock }, otherwise);
  }

  async #answer({ id, question }: Extract<FromThread, { type: 'question' }>): Promise<void> {
    try {
      this.#send({ type: 'answer', id, answer: await answerTo(question, this.#options.answers) });
    } catch (error) {
      this.#send({ type: 'refused', id, message: messageOf(error) });
    }
  }
}

function answerTo({ name, of }: Question, answers: Questions): Promise<unknown> {
  switch (name) {
    case 'exposition':
      return answers.exposition(...of);
    case 'controllerHealth':
      return answers.controllerHealth();
    case 'eventTokens':
      return answers.eventTokens(...of);
    case 'beginQuestion':
      return answers.beginQuestion(...of);
    case 'endQuestion':
      return answers.endQuestion(...of);
    case 'records':
      return answers.records(...of);
    case 'lastHour':
      return answers.lastHour();
  }
}
