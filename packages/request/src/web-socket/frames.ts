/** Kinds of frames (RFC 6455 section 5.2). */
export const opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Codes with which a connection is closed (RFC 6455 section 7.4.1). */
export const closeCode = { normal: 1000, protocolError: 1002 } as const;

const SHORT = 126;
const LONG = 65_536;
/** Maximum payload size of a control frame. */
const MAX_CONTROL_BYTES = 125;

/** The head of an unmasked, complete frame, as servers send it; its payload follows. */
export function frameHead(kind: number, size: number): Buffer {
  const head = Buffer.allocUnsafe(size < SHORT ? 2 : size < LONG ? 4 : 10);
  head[0] = 0x80 | kind;
  head[1] = size < SHORT ? size : size < LONG ? SHORT : SHORT + 1;
  if (head.length === 4) head.writeUInt16BE(size, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  return head;
}

/** A control frame that closes the connection. */
export function closeFrame(code: number): Buffer {
  const payload = Buffer.allocUnsafe(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([frameHead(opcode.close, payload.length), payload]);
}

/** Receives the control frames of a client. */
export interface ClientFrameHandler {
  ping(payload: Buffer): void;
  /** The client has closed the connection, or sent bytes that are not a valid frame. Called once. */
  close(code: number): void;
}

interface FrameState {
  readonly kind: number;
  readonly mask: Buffer;
  /** Payload of a control frame; that of a message is skipped. */
  readonly payload: Buffer | undefined;
  left: number;
}

/**
 * Reads the frames of a client that only listens. Reports pings and the close, and skips messages as they arrive,
 * whatever length they announce. Keeps at most one head or control frame in memory.
 */
export class ClientFrames {
  readonly #handler: ClientFrameHandler;
  #head: Buffer = Buffer.alloc(0);
  #frame: FrameState | undefined;
  #isOver = false;

  constructor(handler: ClientFrameHandler) {
    this.#handler = handler;
  }

  take(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#isOver) {
      const frame = this.#frame;
      if (frame === undefined) at += this.#takeHead(chunk.subarray(at));
      else {
        const part = chunk.subarray(at, at + frame.left);
        const { payload } = frame;
        if (payload !== undefined) part.copy(payload, payload.length - frame.left);
        frame.left -= part.length;
        at += part.length;
      }
      if (this.#frame?.left === 0) this.#finish(this.#frame);
    }
  }

  /** Takes the bytes that belong to a head; returns their number. */
  #takeHead(bytes: Buffer): number {
    const before = this.#head.length;
    const head = Buffer.concat([this.#head, bytes.subarray(0, 14 - before)]);
    const short = (head[1] ?? 0) & 0x7f;
    const extended = short === SHORT ? 2 : short > SHORT ? 8 : 0;
    const length = 2 + extended + 4;
    if (head.length < 2 || head.length < length) {
      this.#head = head;
      return head.length - before;
    }
    this.#head = Buffer.alloc(0);
    const size =
      extended === 0 ? short : extended === 2 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
    this.#start(head, size, head.subarray(length - 4, length));
    return length - before;
  }

  #start(head: Buffer, size: number, mask: Buffer): void {
    const [first = 0, second = 0] = head;
    const kind = first & 0x0f;
    const isControl = kind >= opcode.close;
    const isKnown = kind <= opcode.binary || (kind >= opcode.close && kind <= opcode.pong);
    const isWhole = !isControl || ((first & 0x80) !== 0 && size <= MAX_CONTROL_BYTES);
    // Clients mask their frames, and no extension was agreed on.
    if ((first & 0x70) !== 0 || (second & 0x80) === 0 || !isKnown || !isWhole) {
      this.#end(closeCode.protocolError);
      return;
    }
    this.#frame = { kind, mask, payload: isControl ? Buffer.alloc(size) : undefined, left: size };
  }

  #finish({ kind, mask, payload }: FrameState): void {
    this.#frame = undefined;
    if (kind === opcode.close) this.#end(closeCode.normal);
    else if (kind === opcode.ping && payload !== undefined)
      this.#handler.ping(Buffer.from(payload.map((byte, i) => byte ^ (mask[i & 3] ?? 0))));
  }

  #end(code: number): void {
    this.#isOver = true;
    this.#handler.close(code);
  }
}
