const PREFIX_BYTES = 5;

/** The framing of messages is invalid, or a message is larger than allowed. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
  readonly tooLarge: boolean;

  constructor(message: string, tooLarge: boolean) {
    super(message);
    this.tooLarge = tooLarge;
  }
}

/** Splits a stream's content into gRPC's length-prefixed messages. */
export class MessageAssembler {
  readonly #maxBytes: number;
  #prefixFilled = 0;
  #length = 0;
  #message: Buffer | undefined;
  #filled = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The content may end here. */
  get atBoundary(): boolean {
    return this.#prefixFilled === 0;
  }

  /** Adds `chunk[start, end)` and calls `onMessage` with each complete message, which the receiver owns. */
  push(chunk: Buffer, start: number, end: number, onMessage: (message: Buffer) => void): void {
    let at = start;
    while (at < end) {
      if (this.#message === undefined) at = this.#readPrefix(chunk, at, end);
      if (this.#message === undefined) return;
      const take = Math.min(this.#length - this.#filled, end - at);
      chunk.copy(this.#message, this.#filled, at, at + take);
      this.#filled += take;
      at += take;
      if (this.#filled < this.#length) return;
      const message = this.#message;
      this.#message = undefined;
      this.#prefixFilled = 0;
      onMessage(message);
    }
  }

  #readPrefix(chunk: Buffer, start: number, end: number): number {
    let at = start;
    for (; this.#prefixFilled < PREFIX_BYTES && at < end; at++) {
      const byte = chunk[at] as number;
      if (this.#prefixFilled === 0 && byte !== 0) throw new MessageError('a compressed message', false);
      this.#length = this.#prefixFilled === 0 ? 0 : this.#length * 256 + byte;
      this.#prefixFilled++;
    }
    if (this.#prefixFilled === PREFIX_BYTES) {
      if (this.#length > this.#maxBytes) {
        throw new MessageError(`a message of ${this.#length} bytes exceeds ${this.#maxBytes}`, true);
      }
      this.#message = Buffer.allocUnsafe(this.#length);
      this.#filled = 0;
    }
    return at;
  }
}
