/** Bytes that are not a CBOR data item with a JSON equivalent. `offset` counts bytes from the start of the input. */
export class CborError extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at offset ${offset}`);
    this.name = 'CborError';
    this.offset = offset;
  }
}
