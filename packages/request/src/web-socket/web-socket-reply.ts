import type { Duplex } from 'node:stream';
import type { Clock } from '@orch/machinery';
import { anySignal, onAbort } from '@orch/machinery/concurrency';
import { chunkPayload } from '../message/chunk-frame.ts';
import type { BodySink, StreamReply, StreamSignals, UpgradeReply } from '../message/types.ts';
import { ClientFrames, closeCode, closeFrame, frameHead, opcode } from './frames.ts';
import type { AcceptedWebSocket } from './handshake.ts';

/** Maximum time that a client may read nothing while messages wait for it, or after the close. */
const STALL_MS = 60_000;

export interface WebSocketOptions {
  readonly accepted: AcceptedWebSocket;
  readonly clock: Clock;
  /** Whether messages are text; others are sent in binary frames. */
  readonly isText: boolean;
  /** Bytes at the start of each message that only a stream of bytes needs: its length. */
  readonly prefixBytes: number;
}

/** Sends a stream over WebSocket: each frame that it writes is one message. Abandons it when the client is gone before. */
export const webSocketReply = (
  stream: StreamReply,
  options: WebSocketOptions,
  abandon: () => void,
): UpgradeReply => ({
  kind: 'upgrade',
  status: 101,
  headers: options.accepted.headers,
  run: (client, signals) => new ServedWebSocket(client, options).run(stream, signals),
  abandon,
});

class ServedWebSocket implements BodySink {
  readonly #socket: Duplex;
  readonly #options: WebSocketOptions;
  readonly #kind: number;
  #cancelStall: (() => void) | undefined;
  #code: number = closeCode.normal;

  constructor(socket: Duplex, options: WebSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    const { form } = options.accepted;
    const isText = form === 'base64' || (form === 'plain' && options.isText);
    this.#kind = isText ? opcode.text : opcode.binary;
  }

  async run(stream: StreamReply, { signal, draining }: StreamSignals): Promise<void> {
    const socket = this.#socket;
    const gone = new AbortController();
    const leave = (): void => gone.abort(new Error('the client has closed the WebSocket'));
    const frames = new ClientFrames({
      ping: (payload) => this.#send(opcode.pong, payload),
      close: (code) => {
        this.#code = code;
        leave();
      },
    });
    socket.on('data', (chunk: Buffer) => frames.take(chunk));
    socket.once('end', leave).once('close', leave).on('error', leave);
    // The transport has paused it.
    socket.resume();
    using either = anySignal([signal, gone.signal]);
    try {
      await stream.run(this, { signal: either.signal, draining });
    } finally {
      this.#cancelStall?.();
      await this.#close();
    }
  }

  write(chunk: Buffer): boolean {
    this.#message(chunk);
    return this.#isOpen();
  }

  writeFramed(frames: readonly Buffer[]): boolean {
    this.#socket.cork();
    for (const frame of frames) this.#message(chunkPayload(frame));
    this.#socket.uncork();
    return this.#isOpen();
  }

  async drained(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#socket.writableNeedDrain) return;
    await new Promise<void>((resolve, reject) => {
      const undo = onAbort(signal, () => reject(signal.reason as Error));
      this.#socket.once('drain', () => {
        undo();
        this.#cancelStall?.();
        this.#cancelStall = undefined;
        resolve();
      });
    });
  }

  #message(framed: Buffer): void {
    const payload = framed.subarray(this.#options.prefixBytes);
    if (this.#options.accepted.form === 'base64')
      this.#send(this.#kind, Buffer.from(payload.toString('base64')));
    else this.#send(this.#kind, payload);
  }

  #send(kind: number, payload: Buffer): void {
    if (!this.#socket.writable) return;
    this.#socket.write(frameHead(kind, payload.length));
    this.#socket.write(payload);
  }

  /** Reports whether the client keeps up. A client that does not read is disconnected after a while. */
  #isOpen(): boolean {
    if (!this.#socket.writableNeedDrain) return true;
    this.#cancelStall ??= this.#options.clock.schedule(STALL_MS, () => this.#socket.destroy());
    return false;
  }

  #close(): Promise<void> {
    const socket = this.#socket;
    if (!socket.writable) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.schedule(STALL_MS, done);
      function done(): void {
        cancel();
        resolve();
      }
      socket.once('close', done);
      socket.end(closeFrame(this.#code), done);
    });
  }
}
