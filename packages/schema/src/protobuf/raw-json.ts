/**
 * JSON that stands for a free-form field (`object`, `json`) in a value that is to be encoded: its bytes are written as
 * they are, and nobody has to read them. Whoever makes one vouches for them.
 */
export class RawJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
