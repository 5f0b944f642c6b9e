import type { Socket } from 'node:net';
import type { HttpLimits } from '../shared/limits.ts';
import type { Peer } from '../shared/peer.ts';

/** The head of a DATA frame is nine bytes long, and one byte of a body may follow, with padding. */
const BYTES_PER_BODY_BYTE = 16;

/**
 * Compares the bytes that an HTTP/2 client sends with those that requests need: their heads and bodies, and as many as the
 * server sends to it, since those are acknowledged.
 */
export class Overhead {
  readonly #socket: Socket;
  readonly #peer: Peer;
  readonly #limits: HttpLimits;
  #streams = 0;
  /** Bytes of overhead that the client may still send. */
  #left: number;
  #read = 0;
  #allowed = 0;

  constructor(socket: Socket, peer: Peer, limits: HttpLimits) {
    this.#socket = socket;
    this.#peer = peer;
    this.#limits = limits;
    this.#left = limits.overheadBurstBytes;
  }

  /** A request has begun. */
  onStream(): void {
    this.#streams++;
  }

  /** Reports whether the client sent too much. Must be called once in each `inspectionIntervalMs`. */
  isExceeded(): boolean {
    const { overheadBurstBytes, overheadBytesPerSecond, inspectionIntervalMs, maxHeadBytes } = this.#limits;
    const { bytesRead, bytesWritten } = this.#socket;
    const allowed = bytesWritten + this.#streams * maxHeadBytes + this.#peer.bodyBytes * BYTES_PER_BODY_BYTE;
    const overhead = Math.max(0, bytesRead - this.#read - (allowed - this.#allowed));
    this.#read = bytesRead;
    this.#allowed = allowed;
    const refill = (overheadBytesPerSecond * inspectionIntervalMs) / 1000;
    this.#left = Math.min(overheadBurstBytes, this.#left + refill) - overhead;
    return this.#left < 0;
  }
}
