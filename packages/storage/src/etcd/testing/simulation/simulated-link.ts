import { EventEmitter } from 'node:events';
import type { Clock, Random } from '@orch/machinery';
import type { DialledTransport } from '../../rpc/dial.ts';

/** The part of the surroundings that connections use. */
export interface LinkEnv {
  readonly clock: Clock;
  readonly random: Random;
}

const MAX_LATENCY_MS = 3;
/** The largest piece in which bytes arrive. */
const MAX_PIECE_BYTES = 600;

/** One direction of a connection: bytes arrive in order, later, and in other pieces than they were written. */
export class Pipe {
  readonly #env: LinkEnv;
  readonly #receive: (bytes: Buffer) => void;
  readonly #onCut: () => void;
  readonly #underWay: (() => void)[] = [];
  #arrivesAt = 0;
  /** Bytes that still arrive before the connection is cut. */
  #bytesLeft = Number.POSITIVE_INFINITY;
  /** Bytes vanish. */
  isHole = false;
  /** No byte arrives before it. */
  stalledUntil = 0;

  constructor(env: LinkEnv, receive: (bytes: Buffer) => void, onCut: () => void) {
    this.#env = env;
    this.#receive = receive;
    this.#onCut = onCut;
  }

  write(bytes: Buffer): void {
    const { random } = this.#env;
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + 1 + random.int(MAX_PIECE_BYTES));
      const piece = Buffer.from(bytes.subarray(at, end));
      this.inOrder(() => this.#arrive(piece));
      at = end;
    }
  }

  /** Runs `act` after all bytes that were written before have arrived. */
  inOrder(act: () => void): void {
    const { clock, random } = this.#env;
    const now = clock.monotonic();
    const latencyMs = (1 + random.int(10 * MAX_LATENCY_MS)) / 10;
    this.#arrivesAt = Math.max(this.#arrivesAt, now + latencyMs, this.stalledUntil);
    // The sum of a time and a delay is rounded: the timers of two acts may run in the other order.
    this.#underWay.push(act);
    clock.schedule(this.#arrivesAt - now, () => this.#underWay.shift()?.());
  }

  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  #arrive(piece: Buffer): void {
    if (this.isHole || this.#bytesLeft <= 0) return;
    const part = piece.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= piece.length;
    this.#receive(part);
    if (this.#bytesLeft <= 0) this.#onCut();
  }
}

/** The server's end of a connection. */
export interface ServerEnd {
  receive(bytes: Buffer): void;
  closed(): void;
}

/** A connection of a client to a member, and the client's end of it. */
export class SimulatedLink extends EventEmitter implements DialledTransport {
  readonly member: number;
  readonly writableLength = 0;
  readonly toServer: Pipe;
  readonly toClient: Pipe;
  #server: ServerEnd | undefined;
  #isDestroyed = false;
  #isReset = false;

  constructor(env: LinkEnv, member: number, onRead: (chunk: Buffer, length: number) => void) {
    super();
    this.member = member;
    const cut = (): void => this.reset();
    this.toServer = new Pipe(env, (bytes) => this.#server?.receive(bytes), cut);
    this.toClient = new Pipe(env, (bytes) => this.#isDestroyed || onRead(bytes, bytes.length), cut);
  }

  /** Whether neither end has closed it. */
  get isOpen(): boolean {
    return this.#server !== undefined && !this.#isDestroyed && !this.#isReset;
  }

  /** The member accepts the connection. */
  connect(server: ServerEnd): void {
    if (this.#isDestroyed) return;
    this.#server = server;
    this.emit('connect');
  }

  refuse(): void {
    if (!this.#isDestroyed) this.emit('error', new Error('ECONNREFUSED'));
  }

  write(bytes: Buffer): void {
    if (!this.#isDestroyed && !this.#isReset) this.toServer.write(bytes);
  }

  /** The client closes. What it has written arrives, also after it has closed. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (!this.toServer.isHole) this.toServer.inOrder(() => this.#server?.closed());
  }

  /** The server closes, after what it has written. */
  end(): void {
    this.toClient.inOrder(() => this.#isDestroyed || this.toClient.isHole || this.emit('end'));
  }

  /** Both ends notice that the connection is lost. */
  reset(): void {
    if (this.#isReset) return;
    this.#isReset = true;
    this.#server?.closed();
    if (this.#isDestroyed) return;
    this.emit('error', new Error('ECONNRESET'));
    this.emit('close');
  }
}
