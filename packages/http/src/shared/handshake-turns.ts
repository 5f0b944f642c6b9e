import type { Socket } from 'node:net';
import type { Clock } from '@orch/machinery';
import { IterationTurns } from './iteration-turns.ts';

/** Clients that answer together, after a pause of the machine of all, delay open connections by what these handshakes cost. */
const HANDSHAKES_IN_PROGRESS = 64;

/** How long a handshake may keep others waiting. */
const patienceMs = { most: 500, least: 50, regained: 0.25 } as const;

const ignore = (): void => {};

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
  #patienceMs: number = patienceMs.most;
  #isInspecting = false;

  constructor({ begin, clock, next }: HandshakeTurnsOptions) {
    this.#clock = clock;
    this.#turns = new IterationTurns(begin, next);
  }

  /** Begins the handshake of a connection at once, or later unless `end` has been called by then. */
  add(socket: Socket): void {
    const waits = this.#inProgress.size >= HANDSHAKES_IN_PROGRESS;
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
    this.#startWaiting();
  }

  /** Returns whether the handshake begins in a later iteration. */
  #start(socket: Socket): boolean {
    this.#inProgress.set(socket, this.#clock.monotonic());
    return this.#turns.add(socket);
  }

  #startWaiting(): void {
    for (const socket of this.#waiting) {
      if (this.#inProgress.size >= HANDSHAKES_IN_PROGRESS) return;
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
