import type { Duplex } from 'node:stream';
import { constants, createDeflate, createInflate } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

const type = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const FIN = 1;

export type SpdyHeaders = Readonly<Record<string, string>>;

/** One stream of a session that the client opened. */
export class SpdyStream {
  readonly headers: SpdyHeaders;
  readonly #send: (data: Buffer, flags: number) => void;
  readonly #early: (Buffer | undefined)[] = [];
  #take: ((data: Buffer | undefined) => void) | undefined;

  constructor(headers: SpdyHeaders, send: (data: Buffer, flags: number) => void) {
    this.headers = headers;
    this.#send = send;
  }

  /** Receives the data of the client, including earlier data; undefined when it has sent everything. */
  listen(take: (data: Buffer | undefined) => void): void {
    this.#take = take;
    for (const data of this.#early.splice(0)) take(data);
  }

  receive(data: Buffer | undefined): void {
    if (this.#take === undefined) this.#early.push(data);
    else this.#take(data);
  }

  write(data: Buffer): void {
    this.#send(data, 0);
  }

  /** Signals that no more data follows from this side. */
  end(): void {
    this.#send(Buffer.alloc(0), FIN);
  }
}

/** The serving side of a SPDY/3.1 connection, as far as streams of a node agent need it: no priorities, no windows. */
export class SpdySession {
  readonly #connection: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #inflate = createInflate({ dictionary: spdyDictionary(), finishFlush: constants.Z_SYNC_FLUSH });
  readonly #deflate = createDeflate({ dictionary: spdyDictionary() });
  readonly #streams = new Map<number, SpdyStream>();
  #pending = Buffer.alloc(0);
  #work: Promise<void> = Promise.resolve();

  constructor(connection: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#connection = connection;
    this.#onStream = onStream;
    connection.on('data', (chunk: Buffer) => {
      // Heads are unpacked by zlib's threads: frames wait for the one before.
      this.#work = this.#work.then(() => this.#take(chunk)).catch(() => void connection.destroy());
    });
  }

  /** Ends the connection when everything written so far has left. */
  close(): void {
    this.#work = this.#work.then(() => void this.#connection.end());
  }

  async #take(chunk: Buffer): Promise<void> {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= 8) {
      const length = this.#pending.readUIntBE(5, 3);
      if (this.#pending.length < 8 + length) return;
      const frame = this.#pending.subarray(0, 8 + length);
      this.#pending = this.#pending.subarray(8 + length);
      await this.#frame(frame);
    }
  }

  async #frame(frame: Buffer): Promise<void> {
    const flags = frame.readUInt8(4);
    const payload = frame.subarray(8);
    if (((frame[0] ?? 0) & 0x80) === 0) {
      const stream = this.#streams.get(frame.readUInt32BE(0));
      if (payload.length > 0) stream?.receive(payload);
      if ((flags & FIN) !== 0) stream?.receive(undefined);
      return;
    }
    switch (frame.readUInt16BE(2)) {
      case type.synStream:
        await this.#open(payload, (flags & FIN) !== 0);
        break;
      case type.rstStream:
        this.#streams.get(payload.readUInt32BE(0))?.receive(undefined);
        break;
      case type.ping:
        this.#connection.write(frame);
        break;
      case type.goAway:
        this.#connection.end();
        break;
    }
  }

  async #open(payload: Buffer, isEnded: boolean): Promise<void> {
    const id = payload.readUInt32BE(0) & 0x7fffffff;
    const headers = readHeaders(await packed(this.#inflate, payload.subarray(10)));
    const stream = new SpdyStream(headers, (data, flags) => this.#data(id, data, flags));
    this.#streams.set(id, stream);
    const none = Buffer.alloc(4);
    const block = await packed(this.#deflate, none);
    const reply = Buffer.alloc(4);
    reply.writeUInt32BE(id);
    this.#control(type.synReply, Buffer.concat([reply, block]));
    this.#onStream(stream);
    if (isEnded) stream.receive(undefined);
  }

  #control(kind: number, payload: Buffer): void {
    const head = Buffer.from([0x80, 3, 0, kind, 0, 0, 0, 0]);
    head.writeUIntBE(payload.length, 5, 3);
    this.#connection.write(Buffer.concat([head, payload]));
  }

  #data(id: number, data: Buffer, flags: number): void {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(id);
    head.writeUInt8(flags, 4);
    head.writeUIntBE(data.length, 5, 3);
    this.#connection.write(Buffer.concat([head, data]));
  }
}

/** Sends a block through zlib, whose memory lasts as long as the connection. */
const packed = (
  through: ReturnType<typeof createInflate | typeof createDeflate>,
  block: Buffer,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const collect = (part: Buffer): void => void parts.push(part);
    through.once('error', reject);
    through.on('data', collect);
    through.write(block, () =>
      through.flush(constants.Z_SYNC_FLUSH, () => {
        through.off('data', collect);
        through.off('error', reject);
        resolve(Buffer.concat(parts));
      }),
    );
  });

function readHeaders(block: Buffer): SpdyHeaders {
  const headers: Record<string, string> = {};
  let at = 0;
  const text = (): string => {
    const length = block.readUInt32BE(at);
    at += 4 + length;
    return block.toString('utf8', at - length, at);
  };
  const count = block.readUInt32BE(0);
  at = 4;
  for (let n = 0; n < count; n++) {
    const name = text().toLowerCase();
    headers[name] = text();
  }
  return headers;
}
