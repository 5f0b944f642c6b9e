import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Deferred, deferred } from '@orch/machinery/concurrency';
import { HOSTS_VARIABLE, type HostEnd, type Order, type Report, type StartOrder } from './messages.ts';

/**
 * How long a disposal waits: tests start the next server on the same data, also on a busy machine. The pool ends hosts whose servers do not
 * stop.
 */
const DISPOSE_MS = 20_000;

/** A server in a host. Its disposal stops it. */
export interface HostedServer extends AsyncDisposable {
  readonly url: string;
  /** Waits until it has ended; rejects if it failed. */
  stop(): Promise<void>;
}

interface Running {
  readonly ready: Deferred<string>;
  /** Its error. */
  readonly ended: Deferred<string>;
}

/** A host that is lent as long as the connection exists. */
export class Lease implements Disposable {
  readonly #socket: Socket;
  readonly #running = new Map<number, Running>();
  #last = 0;
  /** The reason why there are no more servers. */
  #lost: Error | undefined;

  constructor(path: string) {
    this.#socket = createConnection(path);
    createInterface(this.#socket).on('line', (line) => this.#receive(JSON.parse(line) as Report | HostEnd));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the pool of server hosts has ended')));
    this.#socket.unref();
  }

  async start(command: Omit<StartOrder, 'server'>): Promise<HostedServer> {
    if (this.#lost !== undefined) throw this.#lost;
    this.#last += 1;
    const server = this.#last;
    const running: Running = { ready: deferred(), ended: deferred() };
    this.#running.set(server, running);
    this.#socket.ref();
    this.#send({ server, ...command });
    const url = await running.ready.promise;
    const ended = (): Promise<string> => {
      if (this.#running.has(server)) this.#send({ server, stop: true });
      return running.ended.promise;
    };
    return {
      url,
      async stop() {
        const error = await ended();
        if (error !== '') throw new Error(error);
      },
      async [Symbol.asyncDispose]() {
        await Promise.race([ended(), sleep(DISPOSE_MS, undefined, { ref: false })]);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #send(order: Order): void {
    this.#socket.write(`${JSON.stringify(order)}\n`);
  }

  #receive(report: Report | HostEnd): void {
    if ('output' in report) this.#fail(new Error(`the server host ended: ${report.output}`));
    else if ('url' in report) this.#running.get(report.server)?.ready.resolve(report.url);
    else this.#end(report.server, report.error);
  }

  #fail(error: Error): void {
    this.#lost ??= error;
    for (const server of [...this.#running.keys()]) this.#end(server, this.#lost.message);
  }

  #end(server: number, error: string): void {
    const running = this.#running.get(server);
    this.#running.delete(server);
    running?.ready.reject(new Error(error));
    running?.ended.resolve(error);
    if (this.#running.size === 0) this.#socket.unref();
  }
}

let lease: Lease | undefined;

/** Whether servers run in a host, which the runner of the suite lends; not in a test file that runs without it. */
export const hasServerHost = (): boolean => process.env[HOSTS_VARIABLE] !== undefined;

/** Starts a server in the host of this process and waits until it is ready. */
export function startHosted(command: Omit<StartOrder, 'server'>): Promise<HostedServer> {
  lease ??= new Lease(process.env[HOSTS_VARIABLE] ?? '');
  return lease.start(command);
}
