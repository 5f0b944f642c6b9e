import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type Direction = 'toServer' | 'toClient';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

interface Ends {
  readonly from: Socket;
  readonly to: Socket;
}

/**
 * A TCP forwarder on loopback with injected faults: the network between a client and its server. Faults apply to
 * existing and new connections until they are removed.
 */
export class TcpProxy implements AsyncDisposable {
  readonly port: number;
  /** Connections accepted since the start. */
  accepted = 0;
  /** Bytes forwarded in each direction since the start. */
  readonly forwarded: Record<Direction, number> = { toServer: 0, toClient: 0 };

  readonly #listener: Server;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<Pair>();
  readonly #watchers = new Set<() => void>();
  readonly #cutAt: Record<Direction, number> = { toServer: Infinity, toClient: Infinity };
  #swallowReplies = false;
  #swallowAfter: string | undefined;
  #stalled = false;
  #refusing = false;
  #delayMs = 0;

  private constructor(listener: Server, target: { readonly host: string; readonly port: number }) {
    this.#listener = listener;
    this.#target = target;
    this.port = (listener.address() as AddressInfo).port;
    listener.on('connection', (client) => this.#accept(client));
  }

  static async listen(target: { readonly host?: string; readonly port: number }): Promise<TcpProxy> {
    const listener = createServer({ noDelay: true });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new TcpProxy(listener, { host: target.host ?? '127.0.0.1', port: target.port });
  }

  /** Open connections. */
  get open(): number {
    return this.#pairs.size;
  }

  /** Resets all connections now; new ones are accepted. */
  cutAll(): void {
    for (const pair of [...this.#pairs]) this.#cut(pair);
  }

  /** Resets all connections, once, after `count` more bytes were forwarded in `direction`. */
  cutAfter(direction: Direction, count: number): void {
    this.#cutAt[direction] = this.forwarded[direction] + count;
  }

  /** Forwards requests and drops all bytes of answers, until called with false. */
  swallowReplies(swallow: boolean): void {
    this.#swallowReplies = swallow;
  }

  /** As `swallowReplies(true)`, once, after a request that contains `text` was forwarded. */
  swallowRepliesAfter(text: string): void {
    this.#swallowAfter = text;
  }

  /** Keeps connections open and forwards nothing in either direction, until called with false. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    for (const pair of this.#pairs) this.#applyStall(pair);
  }

  /** Resets new connections at once, until called with false. */
  refuse(refusing: boolean): void {
    this.#refusing = refusing;
  }

  /** Delays every chunk by this time, in order. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Resolves when this number of bytes was forwarded in `direction` since the start (`forwarded`). */
  async whenForwarded(direction: Direction, total: number): Promise<void> {
    while (this.forwarded[direction] < total) {
      await new Promise<void>((resolve) => {
        this.#watchers.add(resolve);
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutAll();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #accept(client: Socket): void {
    this.accepted++;
    client.on('error', ignore);
    if (this.#refusing) {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, server: connect({ ...this.#target, noDelay: true }) };
    pair.server.on('error', ignore);
    this.#pairs.add(pair);
    this.#pump(pair, 'toServer', client, pair.server);
    this.#pump(pair, 'toClient', pair.server, client);
    this.#applyStall(pair);
  }

  #pump(pair: Pair, direction: Direction, from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      const forward = () => this.#forward(pair, direction, { from, to }, chunk);
      if (this.#delayMs > 0) setTimeout(forward, this.#delayMs);
      else forward();
    });
    from.on('close', () => this.#cut(pair));
  }

  #forward(pair: Pair, direction: Direction, ends: Ends, chunk: Buffer): void {
    if (direction === 'toClient' && this.#swallowReplies) return;
    if (direction === 'toServer' && this.#swallowAfter !== undefined && chunk.includes(this.#swallowAfter)) {
      this.#swallowAfter = undefined;
      this.#swallowReplies = true;
    }
    const room = this.#cutAt[direction] - this.forwarded[direction];
    const part = chunk.length < room ? chunk : chunk.subarray(0, room);
    this.forwarded[direction] += part.length;
    if (part.length === room) {
      this.#cutAt[direction] = Infinity;
      ends.to.write(part, () => this.#cut(pair));
      for (const other of [...this.#pairs]) if (other !== pair) this.#cut(other);
    } else if (!ends.to.destroyed && !ends.to.write(part)) {
      ends.from.pause();
      ends.to.once('drain', () => !this.#stalled && ends.from.resume());
    }
    for (const wake of this.#watchers) wake();
    this.#watchers.clear();
  }

  #applyStall(pair: Pair): void {
    for (const socket of [pair.client, pair.server]) {
      if (this.#stalled) socket.pause();
      else socket.resume();
    }
  }

  #cut(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  }
}

function ignore(): void {
  // An error of a connection is also reported as 'close'.
}
