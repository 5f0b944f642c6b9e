import { messageOf } from '@orch/machinery';
import type { Connection } from '../http2/connection.ts';
import type { Delivery, StreamEnd, StreamEvents, StreamState } from '../http2/stream.ts';
import { MessageAssembler, MessageError } from './message-assembler.ts';
import type { UnaryMethod } from './method.ts';
import type { Pending } from './pending.ts';
import { ReplyStatus } from './reply-status.ts';
import { GrpcCode, RpcError } from './status.ts';

/** The parts of a channel that its calls use. */
export interface CallOwner {
  readonly maxMessageBytes: number;
  /** The last error, while no connection could be made. */
  readonly connectFailure: Error | undefined;
  /** Sends the call's request and returns its stream. */
  start<Request, Response>(connection: Connection, call: UnaryCall<Request, Response>): StreamState;
  /** The call has ended; `error` is undefined on success. */
  finished(call: Pending, connection: Connection | undefined, error: RpcError | undefined): void;
  /** Nothing of the call was sent: it needs another connection. */
  again(call: Pending): void;
}

export interface CallOptions {
  readonly timeoutMs: number;
  /** Ends the call within a tenth of a second after it has aborted. */
  readonly signal: AbortSignal;
  /** The action to take, once, when a call is late. */
  readonly late?: LateCall;
}

export interface LateCall {
  readonly afterMs: number;
  /** `connection` is the one on which the call was sent, if it was. */
  act(connection: Connection | undefined): void;
}

/** Monotonic time at which a call is late. */
interface LateAt {
  readonly at: number;
  readonly call: LateCall;
}

/** One call from its start to its outcome. */
export class UnaryCall<Request, Response> implements StreamEvents, Pending {
  readonly method: UnaryMethod<Request, Response>;
  readonly request: Request;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly #owner: CallOwner;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: RpcError) => void;
  #status = new ReplyStatus();
  #assembler: MessageAssembler | undefined;
  #message: Buffer | undefined;
  #connection: Connection | undefined;
  #stream: StreamState | undefined;
  #late: LateAt | undefined;
  #done = false;

  constructor(
    owner: CallOwner,
    what: {
      method: UnaryMethod<Request, Response>;
      request: Request;
      deadlineAt: number;
      signal: AbortSignal;
      late?: LateAt | undefined;
    },
    promise: { resolve: (response: Response) => void; reject: (error: RpcError) => void },
  ) {
    this.#owner = owner;
    this.method = what.method;
    this.request = what.request;
    this.deadlineAt = what.deadlineAt;
    this.signal = what.signal;
    this.#late = what.late;
    this.#resolve = promise.resolve;
    this.#reject = promise.reject;
  }

  /** The connection on which it was sent; undefined while it waits. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  dispatch(connection: Connection): void {
    this.#connection = connection;
    this.#stream = this.#owner.start(connection, this);
  }

  field(name: string, value: string): void {
    this.#status.field(name, value);
  }

  data(chunk: Buffer, start: number, end: number): void {
    if (this.#done) return;
    this.#assembler ??= new MessageAssembler(this.#owner.maxMessageBytes);
    try {
      this.#assembler.push(chunk, start, end, this.#onMessage);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  end(end: StreamEnd): void {
    if (this.#done) return;
    if (end.kind === 'lost' && end.delivery === 'unsent') {
      this.#connection = undefined;
      this.#stream = undefined;
      this.#status = new ReplyStatus();
      this.#owner.again(this);
      return;
    }
    const failure = this.#status.failure(end);
    const message = this.#message;
    if (failure !== undefined) this.fail(failure);
    else if (message !== undefined && this.#assembler?.atBoundary === true) this.#succeed(message);
    else this.fail(malformed('the answer ends without a message'));
  }

  /** Cancels the call because its signal has aborted. */
  abort(reason: unknown): void {
    this.#cancel(
      (delivery) =>
        new RpcError('aborted', 'the call was aborted', {
          code: GrpcCode.cancelled,
          delivery,
          cause: reason,
        }),
    );
  }

  expire(): void {
    const cause = this.#stream === undefined ? this.#owner.connectFailure : undefined;
    const message = cause === undefined ? 'no answer within the deadline' : cause.message;
    this.#cancel(
      (delivery) => new RpcError('deadline', message, { code: GrpcCode.deadlineExceeded, delivery, cause }),
    );
  }

  /** Checks whether the call is late. */
  remind(now: number): void {
    const late = this.#late;
    if (late === undefined || late.at > now) return;
    this.#late = undefined;
    late.call.act(this.#connection);
  }

  /** Cancels the call on its connection. */
  leave(reason: string): void {
    this.#cancel((delivery) => new RpcError('failed', reason, { code: GrpcCode.unavailable, delivery }));
  }

  fail(error: RpcError): void {
    if (this.#done) return;
    this.#done = true;
    this.#owner.finished(this, this.#connection, error);
    this.#reject(error);
  }

  #cancel(error: (delivery: Delivery) => RpcError): void {
    if (this.#done) return;
    const delivery =
      this.#stream === undefined ? 'unsent' : (this.#connection?.cancel(this.#stream) ?? 'unsent');
    this.fail(error(delivery));
  }

  #succeed(message: Buffer): void {
    let response: Response;
    try {
      response = this.method.decode(message);
    } catch (error) {
      this.fail(malformed(messageOf(error)));
      return;
    }
    this.#done = true;
    this.#owner.finished(this, this.#connection, undefined);
    this.#resolve(response);
  }

  readonly #onMessage = (message: Buffer): void => {
    if (this.#message !== undefined) throw new MessageError('two messages instead of one', false);
    this.#message = message;
  };

  #giveUp(error: unknown): void {
    if (this.#stream !== undefined) this.#connection?.cancel(this.#stream);
    const tooLarge = error instanceof MessageError && error.tooLarge;
    const message = messageOf(error);
    const code = tooLarge ? GrpcCode.resourceExhausted : GrpcCode.internal;
    this.fail(new RpcError('failed', message, { code, delivery: 'sent', cause: error }));
  }
}

function malformed(reason: string): RpcError {
  return new RpcError('failed', `malformed answer: ${reason}`, { code: GrpcCode.internal, delivery: 'sent' });
}
