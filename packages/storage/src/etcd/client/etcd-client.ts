import type { Env } from '@orch/machinery';
import type { KeyRange } from '../../keys.ts';
import { encodeRange, type RangeRequest, type RangeResponse } from '../proto/kv.ts';
import type { LeaseGranted } from '../proto/lease.ts';
import type { MemberStatus } from '../proto/maintenance.ts';
import type { CasRequest, CasResponse, FenceRequest, FenceResponse } from '../proto/txn.ts';
import type { ProtoWriter } from '../proto/writer.ts';
import { Channel } from '../rpc/channel.ts';
import type { OpenTransport, TlsSource } from '../rpc/dial.ts';
import { parseEndpoint } from '../rpc/endpoint.ts';
import { HedgedCalls, type UnaryCaller } from '../rpc/hedged-calls.ts';
import type { Metadata, UnaryMethod } from '../rpc/method.ts';
import { RpcError } from '../rpc/status.ts';
import type { StreamCall, StreamHandler } from '../rpc/stream-call.ts';
import type { CallOptions, LateCall } from '../rpc/unary-call.ts';
import { refusalOf } from './etcd-error.ts';
import * as methods from './methods.ts';

/** A user of etcd authentication. */
export interface EtcdCredentials {
  readonly username: string;
  readonly password: string;
}

export interface EtcdClientOptions {
  /** `https://host:2379` or `http://host:2379`; the members of one cluster. */
  readonly endpoints: readonly string[];
  /** A function is called for each connection. */
  readonly tls?: TlsSource;
  /** Replaces sockets, in simulations. */
  readonly openTransport?: OpenTransport;
  readonly auth?: EtcdCredentials;
  readonly env: Pick<Env, 'clock' | 'random' | 'log'>;
  /** Timeout of one attempt to connect. Default 2,000. */
  readonly dialTimeoutMs?: number;
  /**
   * Time without data on a connection in use after which a ping is sent; two seconds while a call waits. Default
   * 10,000.
   */
  readonly keepaliveMs?: number;
  /** Timeout of the ping, after which the connection is closed. Default 3,000. */
  readonly keepaliveTimeoutMs?: number;
  /** Larger answers are refused. Default 64 MiB. */
  readonly maxMessageBytes?: number;
  /**
   * A key that may be read and need not exist: the revision is read with it. Default `/registry/`; with etcd's
   * authentication it must be one that the user may read.
   */
  readonly probeKey?: string;
}

/** Makes a member without a leader answer at once instead of waiting, and end its streams. */
const fields: Metadata = [['hasleader', 'true']];
const MAX_WAITING = 10_000;
export const DEFAULT_PROBE_KEY = '/registry/';
/** A call without an answer after this time starts a check of the member; large calls may take longer. */
const DOUBT_MS = 500;
const PROBE: CallOptions = { timeoutMs: 3000, signal: new AbortController().signal };

/**
 * The calls of etcd's v3 API that the store needs, over one HTTP/2 connection. Rejects with `RpcError`. No request is
 * sent twice, except those refused because of their token, and hedged reads.
 */
export class EtcdClient {
  readonly #channel: Channel;
  readonly #hedge: HedgedCalls | undefined;
  readonly #late: LateCall;
  readonly #probe: RangeRequest;
  readonly #auth: EtcdCredentials | undefined;
  #token: string | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(options: EtcdClientOptions) {
    const { env } = options;
    if (options.endpoints.length === 0) throw new Error('no etcd endpoint given');
    this.#auth = options.auth;
    this.#probe = { key: options.probeKey ?? DEFAULT_PROBE_KEY, countOnly: true };
    this.#late = {
      afterMs: DOUBT_MS,
      act: () => void this.#hedge?.examine(() => this.currentRevision(PROBE)),
    };
    const channel = {
      endpoints: options.endpoints.map(parseEndpoint),
      tls: options.tls,
      openTransport: options.openTransport,
      clock: env.clock,
      random: env.random,
      log: env.log,
      dialTimeoutMs: options.dialTimeoutMs ?? 2_000,
      keepaliveMs: options.keepaliveMs ?? 10_000,
      keepaliveTimeoutMs: options.keepaliveTimeoutMs ?? 3_000,
      maxMessageBytes: options.maxMessageBytes ?? 64 * 1024 * 1024,
      maxWaiting: MAX_WAITING,
      peer: 'etcd',
      fields,
    };
    this.#channel = new Channel(channel);
    if (channel.endpoints.length > 1) this.#hedge = new HedgedCalls(this.#channel, channel);
  }

  range(request: RangeRequest, options: CallOptions): Promise<RangeResponse> {
    return this.#call(methods.rangeMethod, request, options);
  }

  /** A range with a small answer: when it is late, another member is requested as well. */
  hedgedRange(request: RangeRequest, options: CallOptions): Promise<RangeResponse> {
    const hedge = this.#hedge;
    if (hedge === undefined) return this.range(request, options);
    const call: UnaryCaller = (method, sent, how) => hedge.unary(method, sent, how);
    return this.#call(methods.rangeMethod, request, options, call);
  }

  async currentRevision(options: CallOptions): Promise<number> {
    return (await this.hedgedRange(this.#probe, options)).revision;
  }

  compareAndSwap(request: CasRequest, options: CallOptions): Promise<CasResponse> {
    return this.#call(methods.casMethod, request, options);
  }

  fence(request: FenceRequest, options: CallOptions): Promise<FenceResponse> {
    return this.#call(methods.fenceMethod, request, options);
  }

  async deleteRange(range: KeyRange, options: CallOptions): Promise<void> {
    await this.#call(methods.deleteRangeMethod, { key: range.start, rangeEnd: range.end }, options);
  }

  async compact(revision: number, options: CallOptions): Promise<void> {
    await this.#call(methods.compactMethod, { revision }, options);
  }

  grantLease(ttlSeconds: number, options: CallOptions): Promise<LeaseGranted> {
    return this.#call(methods.leaseGrantMethod, { ttlSeconds }, options);
  }

  async revokeLease(id: Buffer, options: CallOptions): Promise<void> {
    await this.#call(methods.leaseRevokeMethod, { id }, options);
  }

  /** Renews the lease. A ttl of 0 in the answer means that the lease does not exist. */
  renewLease(id: Buffer, options: CallOptions): Promise<LeaseGranted> {
    return this.#call(methods.leaseKeepAliveMethod, { id }, options);
  }

  /** The remaining seconds of a lease; 0 for one that does not exist. */
  leaseTtl(id: Buffer, options: CallOptions): Promise<number> {
    return this.#call(methods.leaseTimeToLiveMethod, { id }, options);
  }

  /** Status of the connected member. */
  status(options: CallOptions): Promise<MemberStatus> {
    return this.#call(methods.statusMethod, {}, options);
  }

  /** A stream of watch messages; with authentication, `authenticate` must have been awaited. */
  watch(
    options: { readonly timeoutMs: number; readonly first: (writer: ProtoWriter) => void },
    handler: StreamHandler,
  ): StreamCall {
    return this.#channel.stream(methods.WATCH_PATH, options, handler);
  }

  /** Answers of one range, message by message; `authenticate` must have been awaited. */
  rangeStream(request: RangeRequest, timeoutMs: number, handler: StreamHandler): StreamCall {
    const first = (writer: ProtoWriter): void => encodeRange(writer, request);
    return this.#channel.stream(methods.RANGE_STREAM_PATH, { timeoutMs, first, only: true }, handler);
  }

  /** One message for a stream. */
  message(encode: (writer: ProtoWriter) => void): Buffer {
    return this.#channel.message(encode);
  }

  /** Requests a token unless there is one other than `stale`. Does nothing without authentication. */
  async authenticate(options: CallOptions, stale?: string): Promise<string | undefined> {
    if (this.#auth === undefined) return undefined;
    if (this.#token === undefined || this.#token === stale) {
      this.#refreshing ??= this.#refresh(this.#auth, options.timeoutMs).finally(() => {
        this.#refreshing = undefined;
      });
      await this.#refreshing.catch(notSent);
    }
    return this.#token;
  }

  close(): void {
    this.#channel.close();
    this.#hedge?.close();
  }

  #call<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: CallOptions,
    send = this.#send,
  ): Promise<Response> {
    if (this.#auth === undefined) return send(method, request, options);
    return this.#callWithToken(method, request, options, send);
  }

  readonly #send: UnaryCaller = (method, request, { timeoutMs, signal }) =>
    this.#channel.unary(method, request, { timeoutMs, signal, late: this.#late });

  async #callWithToken<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: CallOptions,
    send: UnaryCaller,
  ): Promise<Response> {
    const token = await this.authenticate(options);
    try {
      return await send(method, request, options);
    } catch (error) {
      if (refusalOf(error) !== 'badToken') throw error;
      await this.authenticate(options, token);
      return send(method, request, options);
    }
  }

  /** Shared by all waiting calls, and therefore not aborted by one of them. */
  async #refresh(auth: EtcdCredentials, timeoutMs: number): Promise<void> {
    const signal = new AbortController().signal;
    const token = await this.#channel.unary(methods.authenticateMethod, auth, { timeoutMs, signal });
    this.#token = token;
    this.#channel.setMetadata([['token', token]]);
    this.#hedge?.setMetadata([['token', token]]);
  }
}

/** The call that needed the token was not made, regardless of the outcome of the token request. */
function notSent(error: unknown): never {
  if (!(error instanceof RpcError)) throw error;
  const { failure, code, message } = error;
  throw new RpcError(failure, message, { code, delivery: 'unsent', cause: error });
}
