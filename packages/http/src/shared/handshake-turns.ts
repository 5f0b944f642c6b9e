import type { Socket } from 'node:net';
import type { Clock } from '@orch/machinery';
import { IterationTurns } from './iteration-turns.ts';

/**
 * The number of handshakes in progress. Clients that are far away need many; those that answer together delay open connections by what
 * their handshakes cost, so that there are fewer while completing them takes longer than `busyMs` in an iteration of the event loop.
 */
const inProgress = { most: 64, least: 4, busyMs: 8, lost: 0.5, regained: 0.25 } as const;

/** How long a handshake may keep others waiting. */
const patienceMs = { most: 500, least: 50, regained: 0.25 } as const;

const ignore = (): void => {};
const nextIteration = (then: () => void): void => void setImmediate(then);

export interface HandshakeTurnsOptions {
  readonly begin: (socket: Socket) => void;
  readonly clock: Pick<Clock, 'monotonic' | 'schedule'>;
  /** Calls its argument in the next iteration of the event loop. */
  readonly next?: (then: () => void) => void;
}

/**
 * Begins the handshakes of new connections, in the order in which they were accepted: one in an iteration of the event loop, and
 * no further ones while many are in progress. When all clients of another replica connect at once, the requests of
 * open connections are answered between them.
 *
 * A client that does not continue its handshake keeps others waiting for half a second at most. If there are many such clients, this
 * time becomes shorter, so that they cannot keep others out.
 */
export class HandshakeTurns {
  readonly #clock: HandshakeTurnsOptions['clock'];
  readonly #turns: IterationTurns<Socket>;
  readonly #waiting = new Set<Socket>();
  /** When each handshake in progress got its place, the oldest first. */
  readonly #inProgress = new Map<Socket, number>();
  readonly #next: (then: () => void) => void;
  #places: number = inProgress.most;
  #patienceMs: number = patienceMs.most;
  #isInspecting = false;
  #isMeasuring = false;

  constructor({ begin, clock, next = nextIteration }: HandshakeTurnsOptions) {
    this.#clock = clock;
    this.#next = next;
    this.#turns = new IterationTurns(begin, next);
  }

  /** Begins the handshake of a connection at once, or later unless `end` has been called by then. */
  add(socket: Socket): void {
    const waits = this.#isFull;
    if (waits) {
      this.#waiting.add(socket);
      this.#inspect();
    }
    // A reset before TLS has its own listener must not end the process.
    if (waits || this.#start(socket)) socket.on('error', ignore);
  }

  /** The handshake of a connection has succeeded, or the connection has ended. */
  end(socket: Socket): void {
    this.#waiting.delete(socket);
    this.#turns.delete(socket);
    if (!this.#inProgress.delete(socket)) return;
    this.#patienceMs = Math.min(this.#patienceMs + patienceMs.regained, patienceMs.most);
    if (this.#waiting.size > 0) this.#measure();
  }

  get #isFull(): boolean {
    return this.#inProgress.size >= Math.floor(this.#places);
  }

  /** Measures the rest of an iteration from the first handshake that ends in it, after which waiting connections begin theirs. */
  #measure(): void {
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    const startedAt = this.#clock.monotonic();
    this.#next(() => {
      this.#isMeasuring = false;
      const isBusy = this.#clock.monotonic() - startedAt > inProgress.busyMs;
      this.#places = isBusy
        ? Math.max(this.#places * inProgress.lost, inProgress.least)
        : Math.min(this.#places + inProgress.regained, inProgress.most);
      this.#startWaiting();
    });
  }

  /** Returns whether the handshake begins in a later iteration. */
  #start(socket: Socket): boolean {
    this.#inProgress.set(socket, this.#clock.monotonic());
    return this.#turns.add(socket);
  }

  #startWaiting(): void {
    for (const socket of this.#waiting) {
      if (this.#isFull) return;
      this.#waiting.delete(socket);
      this.#start(socket);
    }
  }

  /** While connections wait, a handshake that takes too long gives its place to the next one, and continues beside it. */
  #inspect(): void {
    const [oldest] = this.#inProgress.values();
    if (this.#isInspecting || this.#waiting.size === 0 || oldest === undefined) return;
    this.#isInspecting = true;
    this.#clock.schedule(Math.max(oldest + this.#patienceMs - this.#clock.monotonic(), 1), () => {
      this.#isInspecting = false;
      this.#passOver();
      this.#startWaiting();
      this.#inspect();
    });
  }

  #passOver(): void {
    const begunBefore = this.#clock.monotonic() - this.#patienceMs;
    const before = this.#inProgress.size;
    for (const [socket, begun] of this.#inProgress) {
      if (begun > begunBefore) break;
      this.#inProgress.delete(socket);
    }
    if (this.#inProgress.size < before) this.#patienceMs = Math.max(this.#patienceMs / 2, patienceMs.least);
  }
}
