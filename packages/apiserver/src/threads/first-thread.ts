import type { MessagePort } from 'node:worker_threads';
import { type Env, errors, type MetricsFormat } from '@orch/machinery';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import type { FurtherThread } from './further-thread.ts';
import type { ChangedSetting } from './live-settings.ts';
import type { FromThread, ToThread } from './messages.ts';

/** Time in which the first thread answers. */
const ANSWER_MS = 10_000;

type ThreadEnv = Pick<Env, 'clock' | 'metrics'>;

/** The first thread of the process, for a further one. */
export class FirstThread {
  /** The port to serve on; undefined when the process stops before it is open. */
  readonly port: Promise<number | undefined>;
  /** Aborts when the process stops. */
  readonly stop: AbortSignal;
  readonly #channel: MessagePort;
  readonly #env: ThreadEnv;
  readonly #waiting = new Map<number, (text: string) => void>();
  #useRenewed: (renewed: RenewedPairs) => void = () => undefined;
  #apply: (changed: ChangedSetting) => void = () => undefined;
  #requests = 0;

  constructor(channel: MessagePort, env: ThreadEnv) {
    const port = Promise.withResolvers<number | undefined>();
    const stop = new AbortController();
    this.port = port.promise;
    this.stop = stop.signal;
    this.#channel = channel;
    this.#env = env;
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
        case 'exposition':
          this.#waiting.get(message.id)?.(message.text);
      }
    });
  }

  send(message: FromThread): void {
    this.#channel.postMessage(message);
  }

  /** This thread, for its server. */
  further(port: number): FurtherThread {
    return {
      port,
      exposition: (format) => this.#exposition(format),
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

  #exposition(format: MetricsFormat = 'text'): Promise<string> {
    const id = ++this.#requests;
    return new Promise<string>((resolve, reject) => {
      const cancel = this.#env.clock.schedule(ANSWER_MS, () => {
        this.#waiting.delete(id);
        reject(errors.serviceUnavailable('the metrics of all threads cannot be collected in time'));
      });
      this.#waiting.set(id, (text) => {
        cancel();
        this.#waiting.delete(id);
        resolve(text);
      });
      this.send({ type: 'exposition', id, format });
    });
  }
}
