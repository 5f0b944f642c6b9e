import { messageOf } from '@orch/machinery';
import { decodeRange, type RangeRequest } from '../etcd/proto/kv.ts';
import { ProtoReader } from '../etcd/proto/reader.ts';
import type { Channel } from '../etcd/rpc/channel.ts';
import { RpcError } from '../etcd/rpc/status.ts';
import { GrpcServer, type ServerCall } from './grpc-server.ts';
import { testChannel } from './test-channel.ts';

/** A Range call through a recorder, and etcd's answer. */
export interface RecordedRange {
  readonly request: RangeRequest;
  readonly keys: number;
  /** Keys that etcd counted for the answer. */
  readonly counted: number;
  readonly bytes: number;
}

const RANGE = '/etcdserverpb.KV/Range';
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A server that forwards unary calls to an etcd and records the requested ranges: tests can then assert the work of
 * etcd in keys, without a clock.
 */
export class RangeRecorder implements AsyncDisposable {
  readonly ranges: RecordedRange[] = [];
  /** Runs before each Range call is forwarded. */
  before: (request: RangeRequest) => Promise<void> | void = () => undefined;
  /** Answers streaming reads; without it they are unimplemented, as in etcd before 3.7. */
  stream: ((call: ServerCall, request: RangeRequest) => Promise<void>) | undefined;
  readonly #server: GrpcServer;
  readonly #channel: Channel;

  private constructor(server: GrpcServer, channel: Channel) {
    this.#server = server;
    this.#channel = channel;
  }

  static async listen(etcd: string): Promise<RangeRecorder> {
    const channel = testChannel(etcd, { maxMessageBytes: MAX_BYTES, maxWaiting: 1000 });
    const held: { recorder?: RangeRecorder } = {};
    const server = await GrpcServer.listen((call) => held.recorder?.handle(call), { maxSessionMemory: 1000 });
    held.recorder = new RangeRecorder(server, channel);
    return held.recorder;
  }

  get endpoint(): string {
    return this.#server.endpoint;
  }

  async handle(call: ServerCall): Promise<void> {
    const message = await call.next();
    if (message === undefined) return;
    if (call.path.endsWith('/RangeStream')) {
      if (this.stream === undefined) call.end(12, 'unknown method RangeStream');
      else await this.stream(call, decodeRequest(message));
      return;
    }
    try {
      if (call.path === RANGE) await this.before(decodeRequest(message));
      const answer = await this.pass(call.path, message);
      if (call.path === RANGE) this.#record(message, answer);
      call.send(answer);
      call.end();
    } catch (error) {
      const answered = error instanceof RpcError && error.failure === 'answered';
      call.end(answered ? error.code : 14, messageOf(error));
    }
  }

  /** Forwards a request to etcd. */
  pass(path: string, message: Buffer): Promise<Buffer> {
    const method = {
      path,
      encode: (writer: { raw(bytes: Buffer): void }) => writer.raw(message),
      decode: (answer: Buffer) => answer,
    };
    const signal = new AbortController().signal;
    return this.#channel.unary(method, message, { timeoutMs: TIMEOUT_MS, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#channel.close();
    await this.#server[Symbol.asyncDispose]();
  }

  #record(message: Buffer, answer: Buffer): void {
    const { kvs, count } = decodeRange(answer);
    this.ranges.push({
      request: decodeRequest(message),
      keys: kvs.length,
      counted: count,
      bytes: answer.length,
    });
  }
}

function decodeRequest(message: Buffer): RangeRequest {
  const reader = new ProtoReader(message);
  const found = new Map<number, number>();
  let key = '';
  let rangeEnd: string | undefined;
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.string();
    else if (tag === 0x12) rangeEnd = reader.string();
    else if ((tag & 7) === 0) found.set(tag >>> 3, reader.int());
    else reader.skip();
  }
  return {
    key,
    ...(rangeEnd === undefined ? {} : { rangeEnd }),
    limit: found.get(3) ?? 0,
    revision: found.get(4) ?? 0,
    keysOnly: found.get(8) === 1,
    countOnly: found.get(9) === 1,
  };
}
