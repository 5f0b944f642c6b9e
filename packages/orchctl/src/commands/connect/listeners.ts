import { createServer, type Server, type Socket } from 'node:net';
import type { ForwardedPort } from './forwarded-ports.ts';
import { listen } from './listen.ts';

/** Called with each connection, which it ends. */
type OnConnection = (local: Socket, port: ForwardedPort, localPort: number) => Promise<void>;

/** An address that is listened on. */
export interface Listening {
  readonly address: string;
  readonly local: number;
}

/** The listening sockets for ports of a pod, and their connections. */
export class Listeners implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #onConnection: OnConnection;

  constructor(onConnection: OnConnection) {
    this.#onConnection = onConnection;
  }

  /**
   * Listens on all addresses and resolves with them. One of the loopback addresses, which localhost stands for, is sufficient.
   */
  async open(addresses: readonly string[], port: ForwardedPort): Promise<readonly Listening[]> {
    const found: Listening[] = [];
    for (const address of addresses) {
      const isLoopback = address === 'localhost';
      let local = port.local;
      let failure: unknown;
      let count = 0;
      for (const one of isLoopback ? ['127.0.0.1', '::1'] : [address]) {
        try {
          local = await this.#listen(one, { ...port, local });
          found.push({ address: one, local });
          count++;
        } catch (error) {
          failure = error;
        }
      }
      if (count === 0) throw failure;
    }
    return found;
  }

  async #listen(address: string, port: ForwardedPort): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      void this.#onConnection(socket, port, socket.localPort ?? 0);
    });
    const local = await listen(server, address, port.local);
    this.#servers.push(server);
    return local;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
