import type { Socket } from 'node:net';

/** A handshake costs up to a millisecond, so this many together delay open connections by at most 16 ms. */
const HANDSHAKES_OF_A_TURN = 16;

const ignore = (): void => {};
const nextIteration = (then: () => void): void => void setImmediate(then);

/**
 * Begins the handshakes of new connections, in the order in which they were accepted, and only a few in an iteration of the event
 * loop. When all clients of another replica connect at once, the requests of open connections are answered between them. A handshake
 * waits only until earlier ones have begun, never for a client.
 */
export class HandshakeTurns {
  readonly #begin: (socket: Socket) => void;
  readonly #next: (then: () => void) => void;
  readonly #waiting = new Set<Socket>();
  #begun = 0;

  /** `next` calls its argument in the next iteration of the event loop. */
  constructor(begin: (socket: Socket) => void, next = nextIteration) {
    this.#begin = begin;
    this.#next = next;
  }

  /** Begins the handshake of a connection at once, or in a later turn if the connection is still open then. */
  add(socket: Socket): void {
    if (this.#begun < HANDSHAKES_OF_A_TURN) {
      this.#beginNow(socket);
      return;
    }
    this.#waiting.add(socket);
    // A reset before TLS has its own listener must not end the process.
    socket.on('error', ignore).on('close', () => this.#waiting.delete(socket));
  }

  #beginNow(socket: Socket): void {
    if (this.#begun++ === 0) this.#next(() => this.#turn());
    this.#begin(socket);
  }

  #turn(): void {
    this.#begun = 0;
    for (const socket of this.#waiting) {
      if (this.#begun === HANDSHAKES_OF_A_TURN) return;
      this.#waiting.delete(socket);
      this.#beginNow(socket);
    }
  }
}
