import { ErrorCode, Flag, FrameType, Setting } from '../../http2/constants.ts';
import { type FrameHandler, FrameParser } from '../../http2/frame-parser.ts';
import { FrameWriter } from '../../http2/frame-writer.ts';
import { HeaderCollector } from '../../http2/header-collector.ts';
import { encodeHeaderBlock } from '../../http2/hpack-encoder.ts';
import { MessageAssembler } from '../../rpc/message-assembler.ts';
import type { ServerEnd } from './simulated-link.ts';

const PREFACE_BYTES = 24;
const MAX_MESSAGE_BYTES = 1024 * 1024;
const HEADER = encodeHeaderBlock([
  [':status', '200'],
  ['content-type', 'application/grpc'],
]);

/** One call at a simulated server. */
export interface SimulatedCall {
  readonly path: string;
  /** Called with each message of the client. */
  onMessage: (message: Buffer) => void;
  /** Called once, when the client or the connection has ended the call. */
  onEnd: () => void;
  /** The call has not ended. */
  readonly isOpen: boolean;
  send(message: Buffer): void;
  end(code: number, message?: string): void;
}

class ServerStream implements SimulatedCall {
  readonly id: number;
  readonly assembler = new MessageAssembler(MAX_MESSAGE_BYTES);
  readonly #connection: ServerConnection;
  path = '';
  isOpen = true;
  hasHeader = false;
  onMessage: (message: Buffer) => void = () => undefined;
  onEnd: () => void = () => undefined;

  constructor(connection: ServerConnection, id: number) {
    this.#connection = connection;
    this.id = id;
  }

  send(message: Buffer): void {
    if (this.isOpen) this.#connection.send(this, message);
  }

  end(code: number, message = ''): void {
    if (this.isOpen) this.#connection.finish(this, code, message);
  }
}

export interface ServerConnectionOptions {
  /** Bytes of a request that the server accepts before it has granted more: requests that are longer are sent in parts. */
  readonly windowBytes: number;
  readonly write: (bytes: Buffer) => void;
  /** Closes the connection after what was written. */
  readonly end: () => void;
  readonly accept: (call: SimulatedCall) => void;
}

/** The server's side of an HTTP/2 connection with gRPC calls, as far as a client of etcd uses it. */
export class ServerConnection implements ServerEnd, FrameHandler {
  readonly #options: ServerConnectionOptions;
  readonly #parser = new FrameParser(this);
  readonly #headers = new HeaderCollector();
  readonly #writer: FrameWriter;
  readonly #streams = new Map<number, ServerStream>();
  #prefaceLeft = PREFACE_BYTES;
  #lastStreamId = 0;
  #isDraining = false;
  #isClosed = false;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
    this.#writer = new FrameWriter({ write: options.write, idle: true });
    this.#writer.settings([[Setting.initialWindowSize, options.windowBytes]]);
    this.#writer.flush();
  }

  receive(bytes: Buffer): void {
    const skipped = Math.min(this.#prefaceLeft, bytes.length);
    this.#prefaceLeft -= skipped;
    if (this.#isClosed) return;
    this.#parser.feed(bytes.subarray(skipped), bytes.length - skipped);
    this.#writer.flush();
  }

  closed(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams.values()]) this.#forget(stream);
  }

  /** Accepts no further calls, and closes when the others have ended. */
  goAway(): void {
    if (this.#isDraining || this.#isClosed) return;
    this.#isDraining = true;
    const frame = Buffer.from([0, 0, 8, FrameType.goaway, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    frame.writeUInt32BE(this.#lastStreamId, 9);
    this.#options.write(frame);
    this.#endWhenDrained();
  }

  /** Resets the open calls. */
  resetCalls(): void {
    for (const stream of [...this.#streams.values()]) {
      this.#writer.rstStream(stream.id, ErrorCode.cancel);
      this.#forget(stream);
    }
    this.#flush();
  }

  onData(streamId: number, chunk: Buffer, start: number, end: number): void {
    const stream = this.#streams.get(streamId);
    stream?.assembler.push(chunk, start, end, (message) => stream.onMessage(message));
  }

  onDataEnd(streamId: number, _flags: number, length: number): void {
    if (length === 0) return;
    this.#writer.windowUpdate(0, length);
    if (this.#streams.has(streamId)) this.#writer.windowUpdate(streamId, length);
  }

  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (type === FrameType.headers) this.#onHeaders(flags, streamId, payload);
    else if (type === FrameType.rstStream) this.#onReset(streamId);
    else if (type === FrameType.ping && (flags & Flag.ack) === 0) this.#writer.ping(payload, true);
    else if (type === FrameType.settings && (flags & Flag.ack) === 0) this.#writer.settingsAck();
  }

  send(stream: ServerStream, message: Buffer): void {
    if (!stream.hasHeader) this.#writer.headers(stream.id, HEADER, false);
    stream.hasHeader = true;
    this.#writer.data(stream.id, message, false);
    this.#flush();
  }

  finish(stream: ServerStream, code: number, message: string): void {
    const fields: [string, string][] = [['grpc-status', String(code)]];
    if (message !== '') fields.push(['grpc-message', message]);
    const status: [string, string][] = stream.hasHeader ? [] : [[':status', '200']];
    this.#writer.headers(stream.id, encodeHeaderBlock([...status, ...fields]), true);
    this.#forget(stream);
    this.#flush();
  }

  #onHeaders(flags: number, streamId: number, payload: Buffer): void {
    const block = this.#headers.add(FrameType.headers, flags, streamId, payload);
    const stream = new ServerStream(this, streamId);
    block?.fields((name, value) => {
      if (name === ':path') stream.path = value;
    });
    // A client that has not received GOAWAY yet may send calls, which are ignored.
    if (this.#isDraining) return;
    this.#lastStreamId = streamId;
    this.#streams.set(streamId, stream);
    this.#options.accept(stream);
  }

  #onReset(streamId: number): void {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) this.#forget(stream);
  }

  #forget(stream: ServerStream): void {
    if (!stream.isOpen) return;
    stream.isOpen = false;
    this.#streams.delete(stream.id);
    stream.onEnd();
    this.#endWhenDrained();
  }

  #endWhenDrained(): void {
    if (this.#isDraining && this.#streams.size === 0 && !this.#isClosed) this.#options.end();
  }

  #flush(): void {
    if (!this.#isClosed) this.#writer.flush();
  }
}
