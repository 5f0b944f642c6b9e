import type { Duplex } from 'node:stream';
import type { Random } from '@orch/machinery';
import { TransportError } from '../transport/transport.ts';
import { checkSize, clientFrame, FrameReader, opcode } from './frames.ts';

/** Status code 1000: a normal end. */
const normalEnd = Buffer.from([0x03, 0xe8]);

/** The client's end of an open WebSocket (RFC 6455), with binary messages. */
export class WebSocketConnection {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  readonly #socket: Duplex;
  readonly #random: Pick<Random, 'bytes'>;

  constructor(socket: Duplex, protocol: string, random: Pick<Random, 'bytes'>) {
    this.#socket = socket;
    this.protocol = protocol;
    this.#random = random;
    // A failure is reported by `messages`; without a listener it would end the process.
    socket.on('error', () => {});
  }

  /** Sends one message. Resolves when there is room for another one, or when the connection has ended. */
  async send(payload: Uint8Array): Promise<void> {
    if (this.#write(opcode.binary, payload)) return;
    const socket = this.#socket;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.once('drain', done).once('close', done);
      if (socket.destroyed) done();
    });
  }

  #write(kind: number, payload: Uint8Array): boolean {
    if (!this.#socket.writable) return true;
    return this.#socket.write(clientFrame(kind, payload, this.#random.bytes(4)));
  }

  /**
   * The messages of the server in order, for one reader, received no faster than they are read. Ends with a close frame; throws
   * a `TransportError` when the connection ends without one.
   */
  async *messages(): AsyncGenerator<Buffer, void, undefined> {
    const reader = new FrameReader();
    let parts: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of this.#socket) {
        for (const { kind, isLast, payload } of reader.read(chunk as Buffer)) {
          if (kind === opcode.close) return;
          if (kind === opcode.ping) this.#write(opcode.pong, payload);
          if (kind === opcode.ping || kind === opcode.pong) continue;
          // Empty parts are not kept: a server could send any number of them.
          if (payload.length > 0) parts.push(payload);
          size += payload.length;
          checkSize(size);
          if (!isLast) continue;
          const message = parts.length === 1 && payload.length > 0 ? payload : Buffer.concat(parts);
          parts = [];
          size = 0;
          yield message;
        }
      }
    } catch (cause) {
      if (cause instanceof TransportError) throw cause;
      throw new TransportError('unknown', `the connection was interrupted: ${String(cause)}`, { cause });
    }
    throw new TransportError('unknown', 'the connection ended without a close frame');
  }

  /** Ends the connection; data sent before is still transmitted. */
  close(): void {
    this.#write(opcode.close, normalEnd);
    this.#socket.end();
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.#socket.destroy();
  }
}
