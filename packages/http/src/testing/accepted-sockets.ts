import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.server.socket';

/** The server's ends of connections to a port of this process, by the port of the client. Tests only. */
export class AcceptedSockets implements Disposable {
  readonly #port: number;
  readonly #byClientPort = new Map<number, Socket>();

  constructor(port: number) {
    this.#port = port;
    subscribe(CHANNEL, this.#add);
  }

  /** The server's end of a connection that was opened after this collection. */
  of(client: { readonly localPort?: number | undefined }): Socket {
    const socket = this.#byClientPort.get(client.localPort ?? 0);
    if (socket === undefined) throw new Error('the server has not accepted this connection');
    return socket;
  }

  readonly #add = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort === this.#port) this.#byClientPort.set(socket.remotePort ?? 0, socket);
  };

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#add);
  }
}
