import { connect, type TLSSocket } from 'node:tls';

export interface RawTarget {
  readonly host: string;
  readonly port: number;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  /** Length of the body as sent, including framing. */
  readonly bytes: number;
  /** The first bytes of the body. */
  readonly beginning: string;
}

const HEAD_BYTES = 512;
const headerEnd = Buffer.from('\r\n\r\n');

/**
 * One keep-alive HTTP/1.1 connection that sends prepared requests and counts response bytes: a minimal client, so that
 * benchmarks measure the server.
 */
export class RawConnection implements Disposable {
  readonly #socket: TLSSocket;
  #pending: Buffer = Buffer.alloc(0);
  #remaining = -1;
  #chunked = false;
  #tail = '';
  #status = 0;
  #bytes = 0;
  #beginning = '';
  #isOpen = true;
  #resolve: ((answer: RawAnswer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    const fail = (error?: Error): void => {
      this.#isOpen = false;
      this.#reject?.(error ?? new Error('connection closed'));
    };
    socket.on('error', fail);
    socket.on('end', () => fail());
    socket.on('close', () => fail());
  }

  static open(target: RawTarget): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...target, servername: 'localhost', rejectUnauthorized: false }, () => {
        socket.setNoDelay(true);
        resolve(new RawConnection(socket));
      });
      socket.once('error', reject);
    });
  }

  /** Whether the connection is open. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends one request and resolves when its complete response has arrived. */
  exchange(request: Buffer | string): Promise<RawAnswer> {
    if (!this.#isOpen) return Promise.reject(new Error('connection closed'));
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#remaining = -1;
      this.#bytes = 0;
      this.#beginning = '';
      this.#tail = '';
      this.#socket.write(request);
    });
  }

  #finish(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#reject = undefined;
    resolve?.({ status: this.#status, bytes: this.#bytes, beginning: this.#beginning });
  }

  #read(chunk: Buffer): void {
    if (this.#remaining === -1) {
      const all = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      const end = all.indexOf(headerEnd);
      if (end < 0) {
        this.#pending = all;
        return;
      }
      this.#pending = Buffer.alloc(0);
      const head = all.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      const length = /\r\ncontent-length: (\d+)/i.exec(head);
      this.#chunked = length === null;
      this.#remaining = length === null ? 1 : Number(length[1]);
      this.#body(all.subarray(end + 4));
      return;
    }
    this.#body(chunk);
  }

  #body(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#beginning.length < HEAD_BYTES) {
      this.#beginning += chunk.toString('latin1', 0, HEAD_BYTES - this.#beginning.length);
    }
    if (this.#chunked) {
      this.#tail = (this.#tail + chunk.subarray(Math.max(0, chunk.length - 7)).toString('latin1')).slice(-7);
      if (this.#tail.endsWith('\r\n0\r\n\r\n') || this.#tail === '0\r\n\r\n') this.#finish();
      return;
    }
    this.#remaining -= chunk.length;
    if (this.#remaining <= 0) this.#finish();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  close(): void {
    this.#isOpen = false;
    this.#resolve = undefined;
    this.#reject = undefined;
    this.#socket.destroy();
  }
}

export type NextRequest = () => Buffer | string | undefined;

/** Clients with a kept connection each. Connections that the server has closed are opened again before the next requests. */
export class Clients implements Disposable {
  readonly #target: RawTarget;
  readonly #count: number;
  #connections: readonly RawConnection[] = [];

  constructor(target: RawTarget, count: number) {
    this.#target = target;
    this.#count = count;
  }

  /** Opens the connections that are not open. */
  async connect(): Promise<void> {
    this.#connections = await Promise.all(
      Array.from({ length: this.#count }, async (_, index) => {
        const kept = this.#connections[index];
        return kept?.isOpen === true ? kept : RawConnection.open(this.#target);
      }),
    );
  }

  /** Each client sends the next request of `next` until it returns undefined. Returns the number of responses by status. */
  async drive(next: NextRequest): Promise<ReadonlyMap<number, number>> {
    await this.connect();
    const statuses = new Map<number, number>();
    await Promise.all(
      this.#connections.map(async (connection) => {
        for (let request = next(); request !== undefined; request = next()) {
          const { status } = await connection.exchange(request);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    return statuses;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** As `Clients.drive`, over connections that are opened and closed for these requests. */
export async function drive(
  target: RawTarget,
  connections: number,
  next: NextRequest,
): Promise<ReadonlyMap<number, number>> {
  using clients = new Clients(target, connections);
  return await clients.drive(next);
}
