/**
 * Size of the slices of large answers, which the HTTP servers join. The allocator uses memory of this size again, while that of larger
 * buffers comes from the system for each slice (`MALLOC_MMAP_THRESHOLD_` in `bin/`).
 */
const SLICE_BYTES = 16 * 1024;

/** Up to this size a loop is faster than a call of the runtime. */
const SHORT_BYTES = 24;

/** Joins small chunks into slices; a slice is returned when the next chunk does not fit. */
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

  /** Copies bytes for which room was reserved. A table has several pieces for each row, so none of them gets a view of its own. */
  copy(from: Buffer, start: number, end: number): void {
    const slice = this.#slice;
    let used = this.#used;
    this.#used += end - start;
    if (this.#used > slice.length) throw new RangeError(`no room for ${end - start} bytes at ${used}`);
    let at = start;
    if (end - start > SHORT_BYTES) {
      // A copy of a whole array is slow in shared memory, as for `copyBytes`: the last byte is apart.
      at = end - 1;
      used += from.copy(slice, used, start, at);
    }
    while (at < end) slice[used++] = from[at++] ?? 0;
  }

  byte(value: number): void {
    this.#slice[this.#used++] = value;
  }

  /** Writes a short text. */
  ascii(text: string): void {
    const slice = this.#slice;
    let used = this.#used;
    for (let i = 0; i < text.length; i++) slice[used++] = text.charCodeAt(i);
    this.#used = used;
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
