import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { ClientConfig } from '@orch/testkit';

/** A front of a server without TLS, which adds the identity of an administrator and injects faults. */
export class FaultyFront implements AsyncDisposable {
  readonly #server = createServer((incoming, response) => this.#answer(incoming, response));
  readonly #sockets = new Set<Socket>();
  readonly #config: ClientConfig;
  readonly #agent: Agent;
  #isRefusing = false;
  #failures: number[] = [];
  #expiresPages = false;
  #expiredPages = 0;

  private constructor(config: ClientConfig) {
    this.#config = config;
    const { ca, cert, key } = config;
    this.#agent = new Agent({ keepAlive: true, ca, ...(cert && { cert }), ...(key && { key }) });
    this.#server.on('connection', (socket: Socket) => {
      if (this.#isRefusing) socket.resetAndDestroy();
      else this.#sockets.add(socket.on('close', () => this.#sockets.delete(socket)));
    });
  }

  static async listen(config: ClientConfig): Promise<FaultyFront> {
    const front = new FaultyFront(config);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of reads that are still to be refused. */
  get pendingFailures(): number {
    return this.#failures.length;
  }

  /** The number of pages after the first one that were answered with 410. */
  get expiredPages(): number {
    return this.#expiredPages;
  }

  /** Answers every page after the first one of a list with 410 from now on. */
  expirePages(): void {
    this.#expiresPages = true;
  }

  /** Resets every connection, and new ones until `restore`. */
  cut(): void {
    this.#isRefusing = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Accepts connections again. The next reads are answered with the codes of `failures`. */
  restore(failures: readonly number[] = []): void {
    this.#failures = [...failures];
    this.#isRefusing = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#agent.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #codeFor({ url = '' }: IncomingMessage): number | undefined {
    if (!this.#expiresPages || !/[?&]continue=./.test(url)) return this.#failures.shift();
    this.#expiredPages += 1;
    return 410;
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    const code = incoming.method === 'GET' ? this.#codeFor(incoming) : undefined;
    if (code !== undefined) {
      const reason = code === 410 ? 'Expired' : 'Injected';
      const status = { kind: 'Status', status: 'Failure', message: 'injected', reason, code };
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
      return;
    }
    const { method, headers, url = '' } = incoming;
    const options = { method, headers, agent: this.#agent };
    const forwarded = request(new URL(url, this.#config.server), options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy()).pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }
}
