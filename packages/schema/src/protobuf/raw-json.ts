/**
 * The JSON of a free-form field (`object`, `json`) in a value that is encoded later: its bytes are written unchanged,
 * without being parsed. The caller guarantees that they are valid JSON.
 */
export class RawJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
