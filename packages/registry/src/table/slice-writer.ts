import { copyBytes } from '@orch/machinery';

/** Size of the slices of large answers. */
const SLICE_BYTES = 256 * 1024;

/** Joins small chunks into large slices; a slice is returned when the next chunk does not fit. */
export class SliceWriter {
  readonly #sliceBytes: number;
  #slice: Buffer = Buffer.alloc(0);
  #used = 0;

  /** Slices are at least as large as one reserved chunk, even if `sliceBytes` is smaller. */
  constructor(sliceBytes = SLICE_BYTES) {
    this.#sliceBytes = sliceBytes;
  }

  /** Makes room for `bytes` more; returns the slice that was full, if one was. */
  reserve(bytes: number): Buffer | undefined {
    if (this.#used + bytes <= this.#slice.length) return undefined;
    const full = this.flush();
    this.#slice = Buffer.allocUnsafeSlow(Math.max(this.#sliceBytes, bytes));
    return full;
  }

  /** Copies bytes for which room was reserved. */
  copy(from: Buffer, start: number, end: number): void {
    copyBytes(from.subarray(start, end), this.#slice, this.#used);
    this.#used += end - start;
  }

  byte(value: number): void {
    this.#slice[this.#used++] = value;
  }

  ascii(text: string): void {
    this.#used += this.#slice.write(text, this.#used, 'latin1');
  }

  /** The bytes written since the last slice. */
  flush(): Buffer | undefined {
    if (this.#used === 0) return undefined;
    const full = this.#slice.subarray(0, this.#used);
    this.#slice = this.#slice.subarray(this.#used);
    this.#used = 0;
    return full;
  }
}
