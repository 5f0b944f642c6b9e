import { messageOf } from '@orch/machinery';
import type { Connection } from '../http2/connection.ts';
import type { StreamEnd, StreamEvents, StreamState } from '../http2/stream.ts';
import { MessageAssembler } from './message-assembler.ts';
import type { Pending } from './pending.ts';
import { ReplyStatus } from './reply-status.ts';
import { GrpcCode, RpcError } from './status.ts';

/** The user's side of a streaming call. Called at most until `ended`; must not throw. */
export interface StreamHandler {
  message(message: Buffer): void;
  /** The connection is going away: the call should be moved to a new one soon. */
  draining(): void;
  /** The call has ended; the error is undefined when the server ended it with status OK. */
  ended(error: RpcError | undefined): void;
}

/** The parts of a channel that a streaming call uses. */
export interface StreamOwner {
  readonly maxMessageBytes: number;
  startStream(connection: Connection, call: StreamCall): StreamState;
  /** The call has ended; `error` is undefined on success. */
  streamFinished(call: StreamCall, error: RpcError | undefined): void;
}

/**
 * A call with any number of messages both ways. It waits for a connection, stays on it, and ends with it: its user
 * decides whether to start another.
 */
export class StreamCall implements StreamEvents, Pending {
  readonly path: string;
  readonly first: Buffer;
  /** The first message is the only one. */
  readonly only: boolean;
  readonly deadlineAt: number;
  readonly #owner: StreamOwner;
  readonly #handler: StreamHandler;
  readonly #status = new ReplyStatus();
  readonly #assembler: MessageAssembler;
  #connection: Connection | undefined;
  #stream: StreamState | undefined;
  #done = false;

  /** `deadlineAt` bounds the wait for a connection; `first` is the first message, framed. */
  constructor(
    owner: StreamOwner,
    what: { path: string; first: Buffer; only: boolean; deadlineAt: number },
    handler: StreamHandler,
  ) {
    this.#owner = owner;
    this.path = what.path;
    this.first = what.first;
    this.only = what.only;
    this.deadlineAt = what.deadlineAt;
    this.#handler = handler;
    this.#assembler = new MessageAssembler(owner.maxMessageBytes);
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  dispatch(connection: Connection): void {
    this.#connection = connection;
    this.#stream = this.#owner.startStream(connection, this);
  }

  /** Sends another message, framed. */
  send(message: Buffer): void {
    if (!this.#done && this.#stream !== undefined) this.#connection?.send(this.#stream, message);
  }

  /** Stops the server from sending more than one window. */
  hold(): void {
    if (this.#stream !== undefined) this.#connection?.hold(this.#stream);
  }

  release(): void {
    if (this.#stream !== undefined) this.#connection?.release(this.#stream);
  }

  /** Ends the call; the handler is no longer called. */
  cancel(): void {
    if (this.#finish(undefined) && this.#stream !== undefined) this.#connection?.cancel(this.#stream);
  }

  field(name: string, value: string): void {
    this.#status.field(name, value);
  }

  data(chunk: Buffer, start: number, end: number): void {
    try {
      this.#assembler.push(chunk, start, end, this.#onMessage);
    } catch (error) {
      if (this.#stream !== undefined) this.#connection?.cancel(this.#stream);
      const message = messageOf(error);
      this.fail(new RpcError('failed', message, { code: GrpcCode.internal, delivery: 'sent', cause: error }));
    }
  }

  end(end: StreamEnd): void {
    this.fail(this.#status.failure(end));
  }

  expire(): void {
    this.fail(new RpcError('deadline', 'no connection within the deadline', { delivery: 'unsent' }));
  }

  drainingStarted(): void {
    if (!this.#done) this.#handler.draining();
  }

  fail(error: RpcError | undefined): void {
    if (this.#finish(error)) this.#handler.ended(error);
  }

  #finish(error: RpcError | undefined): boolean {
    if (this.#done) return false;
    this.#done = true;
    this.#owner.streamFinished(this, error);
    return true;
  }

  readonly #onMessage = (message: Buffer): void => {
    if (!this.#done) this.#handler.message(message);
  };
}
