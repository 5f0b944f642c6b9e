/** Bytes that are not the Protobuf message that was expected. The message is a whole sentence for users. */
export class ProtobufError extends Error {
  readonly #what: string;
  /** From the value outwards. */
  readonly #segments: string[] = [];

  constructor(what: string) {
    super(what);
    this.name = 'ProtobufError';
    this.#what = what;
  }

  /** The problem came up below `segment` (`.name`, `[3]`, `[key]`). */
  within(segment: string): this {
    this.#segments.push(segment);
    const path = [...this.#segments].reverse().join('');
    this.message = `${path.startsWith('.') ? path.slice(1) : path}: ${this.#what}`;
    return this;
  }
}
