import { createHash } from 'node:crypto';
import { Duplex } from 'node:stream';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The value of `Sec-WebSocket-Accept` for a key (RFC 6455 section 4.2.2). */
export const acceptOf = (key: string): string => createHash('sha1').update(`${key}${guid}`).digest('base64');

function frame(kind: number, payload: Buffer, mask?: Buffer): Buffer {
  const size = payload.length;
  const head = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | kind, 0);
  head.writeUInt8((size < 126 ? size : size < 65_536 ? 126 : 127) | (mask === undefined ? 0 : 0x80), 1);
  if (head.length === 4) head.writeUInt16BE(size, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  return mask === undefined
    ? Buffer.concat([head, payload])
    : Buffer.concat([head, mask, masked(payload, mask)]);
}

const masked = (payload: Buffer, mask: Buffer): Buffer =>
  Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));

/** Messages over a web socket, at either end: a client masks what it sends. */
export class WebSocketMessages {
  readonly #connection: Duplex;
  readonly #mask: Buffer | undefined;
  #pending = Buffer.alloc(0);
  #message: Buffer[] = [];
  onMessage: ((message: Buffer) => void) | undefined;
  onClose: (() => void) | undefined;

  constructor(connection: Duplex, side: 'client' | 'server') {
    this.#connection = connection;
    this.#mask = side === 'client' ? Buffer.from([1, 2, 3, 4]) : undefined;
    connection.on('data', (chunk: Buffer) => this.#take(chunk));
    connection.on('close', () => this.onClose?.());
  }

  send(message: Buffer): boolean {
    return this.#connection.write(frame(opcode.binary, message, this.#mask));
  }

  close(): void {
    const normal = Buffer.from([0x03, 0xe8]);
    this.#connection.end(frame(opcode.close, normal, this.#mask));
  }

  #take(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    for (let one = this.#frame(); one !== undefined; one = this.#frame()) this.#handle(one);
  }

  /** The next whole frame. */
  #frame(): { readonly kind: number; readonly isLast: boolean; readonly payload: Buffer } | undefined {
    const input = this.#pending;
    if (input.length < 2) return undefined;
    const [first = 0, second = 0] = input;
    const short = second & 0x7f;
    let at = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (input.length < at) return undefined;
    const size =
      short === 126 ? input.readUInt16BE(2) : short === 127 ? Number(input.readBigUInt64BE(2)) : short;
    const mask = (second & 0x80) === 0 ? undefined : input.subarray(at, at + 4);
    if (mask !== undefined) at += 4;
    if (input.length < at + size) return undefined;
    const payload = input.subarray(at, at + size);
    this.#pending = input.subarray(at + size);
    return {
      kind: first & 0x0f,
      isLast: (first & 0x80) !== 0,
      payload: mask === undefined ? payload : masked(payload, mask),
    };
  }

  #handle({ kind, isLast, payload }: { kind: number; isLast: boolean; payload: Buffer }): void {
    if (kind === opcode.ping) this.#connection.write(frame(opcode.pong, payload, this.#mask));
    else if (kind === opcode.close) this.#connection.end();
    else if (kind !== opcode.pong) {
      this.#message.push(payload);
      if (!isLast) return;
      const message = Buffer.concat(this.#message);
      this.#message = [];
      this.onMessage?.(message);
    }
  }
}

/** A web socket whose messages carry the bytes of another connection. */
export function messageStream(messages: WebSocketMessages): Duplex {
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      messages.send(chunk);
      done();
    },
    final(done) {
      messages.close();
      done();
    },
  });
  messages.onMessage = (message) => void stream.push(message);
  messages.onClose = () => void stream.push(null);
  return stream;
}
