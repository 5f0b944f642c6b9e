import type { Cancel, Clock, Logger, Random } from '@orch/machinery';
import type { Connection } from '../http2/connection.ts';
import { encodeHeaderBlock } from '../http2/hpack-encoder.ts';
import type { Delivery, StreamState } from '../http2/stream.ts';
import { ProtoWriter } from '../proto/writer.ts';
import { Connector } from './connector.ts';
import type { OpenTransport, TlsSource } from './dial.ts';
import type { Endpoint } from './endpoint.ts';
import { HealthMonitor } from './health-monitor.ts';
import type { Metadata, UnaryMethod } from './method.ts';
import type { Pending } from './pending.ts';
import { GrpcCode, RpcError } from './status.ts';
import { StreamCall, type StreamHandler, type StreamOwner } from './stream-call.ts';
import { type CallOptions, type CallOwner, UnaryCall } from './unary-call.ts';

export interface ChannelOptions {
  readonly endpoints: readonly Endpoint[];
  readonly tls: TlsSource | undefined;
  /** Replaces sockets. */
  readonly openTransport?: OpenTransport | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Timeout of one attempt to connect. */
  readonly dialTimeoutMs: number;
  /** Time without data after which a connection with calls is pinged… */
  readonly keepaliveMs: number;
  /** …and closed when there is no answer for this time. */
  readonly keepaliveTimeoutMs: number;
  readonly maxMessageBytes: number;
  /** The name of the endpoints' owner, for the log. */
  readonly peer: string;
  /** Fields of every request besides those of the protocol. */
  readonly fields?: Metadata;
  /** Maximum number of calls that wait for a connection; further ones fail at once. */
  readonly maxWaiting: number;
  /** An endpoint that is skipped while there are others. */
  readonly avoid?: () => Endpoint | undefined;
}

export interface StreamOptions {
  /** Time that the call waits for a connection. */
  readonly timeoutMs: number;
  /** Writes the first message. */
  readonly first: (writer: ProtoWriter) => void;
  /** The first message is the only one: only the server streams. */
  readonly only?: boolean;
}

/** Interval at which deadlines and signals are checked: their precision. A listener for each call would cost more than its encoding. */
const TICK_MS = 100;
const IDLE_TICK_MS = 1000;

/**
 * Calls to a cluster, all on one connection to one of its endpoints at a time. When the connection is lost, drains or
 * its member does not answer, the next endpoint is used. A call is sent once: only a call of which nothing was sent
 * moves to the next connection.
 */
export class Channel implements CallOwner, StreamOwner {
  readonly maxMessageBytes: number;
  readonly #options: ChannelOptions;
  readonly #clock: Clock;
  readonly #connector: Connector;
  readonly #monitor: HealthMonitor;
  readonly #writer = new ProtoWriter();
  readonly #waiting = new Set<Pending>();
  readonly #unary = new Set<UnaryCall<unknown, unknown>>();
  readonly #streams = new Set<StreamCall>();
  #blocks = new WeakMap<Connection, Map<string, Buffer>>();
  #metadata: Metadata = [];
  #cancelTick: Cancel | undefined;
  #tickIsFast = false;
  #tickDueAt = 0;
  #closed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.maxMessageBytes = options.maxMessageBytes;
    this.#monitor = new HealthMonitor(options);
    this.#connector = new Connector(options, {
      connected: () => this.#dispatchWaiting(),
      available: () => this.#dispatchWaiting(),
      draining: (connection) => this.#onDraining(connection),
      left: (connection, reason) => this.#onLeft(connection, reason),
      wanted: () => this.#waiting.size > 0,
    });
  }

  /** The last error, while no connection could be made. */
  get connectFailure(): Error | undefined {
    return this.#connector.lastFailure;
  }

  /** The endpoint in use, or the one being connected. */
  get endpoint(): Endpoint | undefined {
    return this.#connector.endpoint;
  }

  /** Moves all calls to another member. Returns false when there is none, or the connection is too new. */
  leave(connection: Connection, reason: string): boolean {
    return this.#connector.leave(connection, reason);
  }

  /** As `leave`, for the connection in use. */
  leaveCurrent(reason: string): void {
    const { current } = this.#connector;
    if (current !== undefined) this.leave(current, reason);
  }

  /** Fields that every later request carries, such as an authentication token. */
  setMetadata(metadata: Metadata): void {
    this.#metadata = metadata;
    this.#blocks = new WeakMap();
  }

  /** Rejects with {@link RpcError}. */
  unary<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: CallOptions,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { signal, late: after } = options;
      const now = this.#clock.monotonic();
      const deadlineAt = now + options.timeoutMs;
      const late = after && { at: now + after.afterMs, call: after };
      const call = new UnaryCall<Request, Response>(
        this,
        { method, request, deadlineAt, signal, late },
        { resolve, reject },
      );
      this.#unary.add(call as UnaryCall<unknown, unknown>);
      if (signal.aborted) return call.abort(signal.reason);
      this.#armTick(true);
      this.#submit(call);
    });
  }

  /** Starts a streaming call. */
  stream(path: string, options: StreamOptions, handler: StreamHandler): StreamCall {
    const { only = false } = options;
    const deadlineAt = this.#clock.monotonic() + options.timeoutMs;
    const call = new StreamCall(
      this,
      { path, first: this.message(options.first), only, deadlineAt },
      handler,
    );
    this.#streams.add(call);
    this.#armTick(true);
    this.#submit(call);
    return call;
  }

  /** One message, framed for a stream. */
  message(encode: (writer: ProtoWriter) => void): Buffer {
    this.#writer.reset();
    encode(this.#writer);
    return Buffer.from(this.#writer.finishFramed());
  }

  /** Ends every call and the connection. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelTick?.();
    const error = (delivery: Delivery) => new RpcError('closed', 'the client was closed', { delivery });
    for (const call of [...this.#waiting]) call.fail(error('unsent'));
    for (const call of [...this.#unary]) call.fail(error('sent'));
    for (const call of [...this.#streams]) call.fail(error('sent'));
    this.#connector.close();
  }

  start<Request, Response>(connection: Connection, call: UnaryCall<Request, Response>): StreamState {
    this.#writer.reset();
    call.method.encode(this.#writer, call.request);
    return connection.start(this.#block(connection, call.method), this.#writer.finishFramed(), true, call);
  }

  startStream(connection: Connection, call: StreamCall): StreamState {
    return connection.start(this.#block(connection, call), call.first, call.only, call);
  }

  finished(
    call: UnaryCall<unknown, unknown>,
    connection: Connection | undefined,
    error: RpcError | undefined,
  ): void {
    this.#unary.delete(call);
    this.#waiting.delete(call);
    this.#reconsider(connection, error);
  }

  streamFinished(call: StreamCall, error: RpcError | undefined): void {
    this.#streams.delete(call);
    this.#waiting.delete(call);
    this.#reconsider(call.connection, error);
  }

  again(call: Pending): void {
    this.#submit(call);
  }

  #submit(call: Pending): void {
    const connection = this.#connector.current;
    if (this.#closed) {
      call.fail(new RpcError('closed', 'the client was closed', { delivery: 'unsent' }));
    } else if (connection?.available === true) {
      call.dispatch(connection);
    } else if (this.#waiting.size >= this.#options.maxWaiting) {
      const details = { code: GrpcCode.unavailable, delivery: 'unsent' } as const;
      call.fail(new RpcError('failed', 'too many calls wait for a connection', details));
    } else {
      this.#waiting.add(call);
      this.#connector.connect();
    }
  }

  #dispatchWaiting(): void {
    const connection = this.#connector.current;
    for (const call of this.#waiting) {
      if (connection?.available !== true) return;
      this.#waiting.delete(call);
      call.dispatch(connection);
    }
  }

  #onDraining(connection: Connection): void {
    for (const call of [...this.#streams]) if (call.connection === connection) call.drainingStarted();
  }

  /** It is unknown whether writes among them took effect: their callers determine it. */
  #onLeft(connection: Connection, reason: string): void {
    for (const call of [...this.#unary]) {
      if (call.connection === connection) call.leave(`left the member: ${reason}`);
    }
  }

  #reconsider(connection: Connection | undefined, error: RpcError | undefined): void {
    if (error === undefined || connection === undefined || !this.#isUseless(connection, error)) return;
    this.#connector.leave(connection, error.message);
  }

  /** A member that does not answer, or answers that it is unavailable: tries another one. */
  #isUseless(connection: Connection, error: RpcError): boolean {
    if (error.failure === 'deadline') return this.#monitor.silentFor(connection) >= TICK_MS * 10;
    return error.failure === 'answered' && error.code === GrpcCode.unavailable;
  }

  #block(connection: Connection, method: { readonly path: string; readonly anonymous?: boolean }): Buffer {
    const { path } = method;
    let blocks = this.#blocks.get(connection);
    if (blocks === undefined) {
      blocks = new Map();
      this.#blocks.set(connection, blocks);
    }
    let block = blocks.get(path);
    if (block === undefined) {
      const endpoint = this.#connector.endpointOf(connection);
      block = requestBlock(endpoint, path, [
        ...(this.#options.fields ?? []),
        ...(method.anonymous === true ? [] : this.#metadata),
      ]);
      blocks.set(path, block);
    }
    return block;
  }

  #armTick(fast: boolean): void {
    if (this.#cancelTick !== undefined) {
      if (!fast || this.#tickIsFast) return;
      this.#cancelTick();
    }
    this.#tickIsFast = fast;
    const delayMs = fast ? TICK_MS : IDLE_TICK_MS;
    this.#tickDueAt = this.#clock.monotonic() + delayMs;
    this.#cancelTick = this.#clock.schedule(delayMs, () => this.#tick());
  }

  #tick(): void {
    this.#cancelTick = undefined;
    const now = this.#clock.monotonic();
    for (const call of this.#unary) {
      if (call.signal.aborted) call.abort(call.signal.reason);
      else if (call.deadlineAt <= now) call.expire();
    }
    for (const call of this.#waiting) if (call.deadlineAt <= now) call.expire();
    // After a pause of this process, answers may have arrived that were not read yet, so no call counts as late.
    if (now - this.#tickDueAt < TICK_MS) for (const call of this.#unary) call.remind(now);
    const connections = this.#connector.connections();
    const awaited = new Set<Connection | undefined>();
    for (const call of this.#unary) awaited.add(call.connection);
    for (const connection of connections) this.#monitor.check(connection, now, awaited.has(connection));
    if (this.#unary.size > 0 || this.#waiting.size > 0) this.#armTick(true);
    else if (connections.length > 0) this.#armTick(false);
  }
}

function requestBlock(endpoint: Endpoint, path: string, metadata: Metadata): Buffer {
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  return encodeHeaderBlock(
    [
      [':method', 'POST'],
      [':scheme', endpoint.tls ? 'https' : 'http'],
      [':path', path],
      [':authority', `${host}:${endpoint.port}`],
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ...metadata,
    ],
    new Set(['token']),
  );
}
