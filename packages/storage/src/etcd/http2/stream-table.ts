import { ErrorCode, Http2Error, MAX_STREAM_ID } from './constants.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { StreamEvents, StreamState } from './stream.ts';

/** The open streams of a connection, by identifier. */
export class StreamTable {
  readonly #open = new Map<number, StreamState>();
  readonly #windowBytes: number;
  #nextId = 1;

  /** `windowBytes`: what the peer may send on one stream before it must wait. */
  constructor(windowBytes: number) {
    this.#windowBytes = windowBytes;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Streams below it exist or have existed. */
  get nextId(): number {
    return this.#nextId;
  }

  /** No further stream can be opened on this connection. */
  get exhausted(): boolean {
    return this.#nextId > MAX_STREAM_ID;
  }

  open(events: StreamEvents, sendWindow: number): StreamState {
    const stream: StreamState = {
      id: this.#nextId,
      events,
      receiving: new ReceiveWindow(this.#windowBytes),
      sendWindow,
      outbox: [],
      outboxAt: 0,
      ending: false,
      ended: false,
      headerBlocks: 0,
    };
    this.#nextId += 2;
    this.#open.set(stream.id, stream);
    return stream;
  }

  has(stream: StreamState): boolean {
    return this.#open.get(stream.id) === stream;
  }

  /**
   * The open stream; undefined for one that has ended. Throws for one that was never opened: the peer may not refer to
   * it.
   */
  named(id: number): StreamState | undefined {
    const stream = this.#open.get(id);
    if (stream === undefined && (id % 2 === 0 || id >= this.#nextId)) {
      throw new Http2Error(ErrorCode.protocolError, `a frame for stream ${id}, which does not exist`);
    }
    return stream;
  }

  /** The open stream, or undefined. */
  get(id: number): StreamState | undefined {
    return this.#open.get(id);
  }

  remove(stream: StreamState): void {
    this.#open.delete(stream.id);
  }

  all(): StreamState[] {
    return [...this.#open.values()];
  }
}
