import type { Socket } from 'node:net';
import { Semaphore } from '@orch/machinery';
import type { Answer, Post } from './exchange.ts';
import { Http1Connection, NotAnswered } from './http1-connection.ts';

/** Opens a connection; rejects with its error, or with the reason of the signal. */
export type OpenSocket = (signal: AbortSignal) => Promise<Socket>;

/** Requests with HTTP/1.1 over connections that are kept, one at a time on each. */
export class Http1Requests implements Disposable {
  readonly #open: OpenSocket;
  readonly #atOnce: Semaphore;
  readonly #connections = new Set<Http1Connection>();
  /** The one that was used last is used first. */
  readonly #idle: Http1Connection[] = [];

  constructor(open: OpenSocket, maxSockets: number) {
    this.#open = open;
    this.#atOnce = new Semaphore(maxSockets);
  }

  /** Uses a connection that is open already. */
  adopt(socket: Socket): void {
    this.#idle.push(this.#over(socket));
  }

  /**
   * Rejects with an error of the connection, or with the reason of the signal. A kept connection that the service closed at the
   * same moment has not delivered the request: it is sent again.
   */
  async post(request: Post, signal: AbortSignal): Promise<Answer> {
    const bytes = requestBytes(request);
    const release = await this.#atOnce.acquire(signal);
    try {
      for (;;) {
        const connection = this.#kept() ?? this.#over(await this.#open(signal));
        const { isReused } = connection;
        try {
          return await connection.exchange(bytes, request.maxAnswerBytes, signal);
        } catch (error) {
          if (!isReused || !(error instanceof NotAnswered)) throw error;
        } finally {
          if (connection.isUsable) this.#idle.push(connection);
        }
      }
    } finally {
      release();
    }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.destroy();
  }

  #kept(): Http1Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined || connection.isUsable) return connection;
    }
  }

  #over(socket: Socket): Http1Connection {
    const connection = new Http1Connection(socket, () => this.#connections.delete(connection));
    this.#connections.add(connection);
    return connection;
  }
}

const unsafeTarget = /[^\x21-\x7e]/;
const unsafeField = /[^\t\x20-\x7e\x80-\xff]/;

/** A request in one piece, so that it is written and encrypted at once. */
function requestBytes({ path, headers, payload }: Post): Buffer {
  if (unsafeTarget.test(path)) throw new Error('the path of the request has invalid characters');
  let head = `POST ${path} HTTP/1.1\r\n`;
  for (const name in headers) {
    const field = `${name}: ${headers[name]}`;
    if (unsafeField.test(field)) throw new Error(`the header field ${name} has invalid characters`);
    head += `${field}\r\n`;
  }
  head += '\r\n';
  const bytes = Buffer.allocUnsafe(head.length + payload.length);
  bytes.write(head, 'latin1');
  payload.copy(bytes, head.length);
  return bytes;
}
