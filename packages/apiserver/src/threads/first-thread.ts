import type { MessagePort } from 'node:worker_threads';
import { type Env, errors } from '@orch/machinery';
import type { DebugEndpoints } from '@orch/program';
import { type ThreadStore, WriterPorts } from '@orch/storage';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import { LinesOfThread } from './audit-of-threads.ts';
import { answerAt, answerFrom } from './debug-of-threads.ts';
import type { FurtherThread } from './further-thread.ts';
import type { ChangedSetting } from './live-settings.ts';
import type { FromThread, Question, Questions, ThreadInput, ToThread } from './messages.ts';
import type { AnswerRecords } from './records-of-threads.ts';

/** Time in which the first thread answers. */
const ANSWER_MS = 10_000;

type ThreadEnv = Pick<Env, 'clock' | 'metrics'>;
type ThreadPlace = Omit<ThreadInput, 'flags'>;

/** The first thread of the process, for a further one. */
export class FirstThread {
  /** The port to serve on; undefined when the process stops before it is open. */
  readonly port: Promise<number | undefined>;
  /** Aborts when the process stops. */
  readonly stop: AbortSignal;
  readonly #channel: MessagePort;
  readonly #env: ThreadEnv;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #writerPorts = new WriterPorts();
  readonly #lines: LinesOfThread;
  #store: ThreadStore | undefined;
  #feeds: readonly MessagePort[] = [];
  #useRenewed: (renewed: RenewedPairs) => void = () => undefined;
  #apply: (changed: ChangedSetting) => void = () => undefined;
  #recordsFor: AnswerRecords = () => [];
  #debug: DebugEndpoints | undefined;
  #questions = 0;

  constructor(channel: MessagePort, env: ThreadEnv) {
    const port = Promise.withResolvers<number | undefined>();
    const stop = new AbortController();
    this.port = port.promise;
    this.stop = stop.signal;
    this.#channel = channel;
    this.#env = env;
    this.#lines = new LinesOfThread((lines) => this.send({ type: 'auditLines', lines }), env.clock);
    channel.on('message', (message: ToThread) => {
      switch (message.type) {
        case 'serve':
          port.resolve(message.port);
          break;
        case 'stop':
          port.resolve(undefined);
          stop.abort(new Error('the process stops'));
          break;
        case 'metrics':
          this.send({ type: 'metrics', text: env.metrics.text() });
          break;
        case 'setting':
          this.#apply(message.changed);
          break;
        case 'renewed':
          this.#useRenewed(message.renewed);
          break;
        case 'feeds':
          this.#feeds = message.ports;
          break;
        case 'writer':
          this.#store = { location: message.location, ports: this.#writerPorts };
          this.#writerPorts.add(message.port);
          break;
        case 'records':
          this.send({ type: 'records', records: this.#recordsFor(message.query) });
          break;
        case 'debug':
          answerAt(message.port, this.#debug, message.question);
          break;
        case 'auditTaken':
          this.#lines.taken(message.length);
          break;
        case 'answer':
          this.#waiting.get(message.id)?.resolve(message.answer);
          break;
        case 'refused':
          this.#waiting.get(message.id)?.reject(errors.serviceUnavailable(message.message));
      }
    });
  }

  send(message: FromThread): void {
    this.#channel.postMessage(message);
  }

  /** This thread, for its server. */
  further(port: number, { number, replica, memory }: ThreadPlace): FurtherThread {
    const rotated = (): void => this.send({ type: 'auditRotated' });
    return {
      port,
      number,
      replica,
      memory,
      audit: { memory: memory.audit, first: { lines: this.#lines, rotated } },
      store: this.#store,
      feeds: this.#feeds,
      exposition: (format = 'text') => this.#ask('exposition', format),
      controllerHealth: () => this.#ask('controllerHealth'),
      lastHour: () => this.#ask('lastHour'),
      eventTokens: () => (keys) => this.#ask('eventTokens', keys),
      questionLimits: () => ({
        begin: (user) => this.#ask('beginQuestion', user),
        end: (user) => this.#ask('endQuestion', user),
      }),
      recordsOfOthers: (query) => this.#ask('records', query),
      answerRecords: (answer) => {
        this.#recordsFor = answer;
      },
      askDebug: (thread, question, signal) =>
        answerFrom(
          (debug) => this.#channel.postMessage({ type: 'debug', thread, question, port: debug }, [debug]),
          thread,
          this.#env.clock,
          signal,
        ),
      answerDebug: (endpoints) => {
        this.#debug = endpoints;
      },
      announce: (changed) => this.send({ type: 'setting', changed }),
      onChanged: (apply) => {
        this.#apply = apply;
      },
      onRenewed: (use) => {
        this.#useRenewed = use;
      },
    };
  }

  /** No messages arrive from now on: they would keep the thread running. */
  close(): void {
    this.#channel.close();
  }

  async #ask<Name extends Question['name']>(
    name: Name,
    ...of: Parameters<Questions[Name]>
  ): Promise<Awaited<ReturnType<Questions[Name]>>> {
    const id = ++this.#questions;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const cancel = this.#env.clock.schedule(ANSWER_MS, () =>
      answer.reject(errors.serviceUnavailable('the first thread of the server does not answer in time')),
    );
    this.send({ type: 'question', id, question: { name, of } as Question });
    try {
      return (await answer.promise) as Awaited<ReturnType<Questions[Name]>>;
    } finally {
      cancel();
      this.#waiting.delete(id);
    }
  }
}
