/** Slices from this size on are kept without a copy if they are most of the buffer that they reference. */
const KEEP_BYTES = 4 * 1024;
const MAX_SLAB_BYTES = 256 * 1024;

/**
 * Collects a body. A peer may send it byte by byte, and a slice of one byte references a whole read buffer:
 * small slices are therefore copied, so that memory stays proportional to the body.
 */
export class BodyBuffer {
  readonly #parts: Buffer[] = [];
  #slab: Buffer | undefined;
  #filled = 0;
  /** Bytes collected so far. */
  size = 0;

  add(slice: Buffer): void {
    this.size += slice.length;
    // Most bodies arrive in one slice.
    const isFirst = this.size === slice.length;
    if (isFirst || (slice.length >= KEEP_BYTES && slice.length * 2 >= slice.buffer.byteLength)) {
      this.#closeSlab();
      this.#parts.push(slice);
    } else {
      this.#copy(slice);
    }
  }

  /** The body in one buffer. */
  bytes(): Buffer {
    this.#closeSlab();
    const [only] = this.#parts;
    return this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts, this.size);
  }

  #copy(slice: Buffer): void {
    for (let at = 0; at < slice.length; ) {
      // Slabs grow with the body, so that they are few and the last is mostly used.
      this.#slab ??= Buffer.allocUnsafeSlow(Math.min(MAX_SLAB_BYTES, Math.max(KEEP_BYTES, this.size)));
      const copied = slice.copy(this.#slab, this.#filled, at);
      at += copied;
      this.#filled += copied;
      if (this.#filled === this.#slab.length) this.#closeSlab();
    }
  }

  #closeSlab(): void {
    if (this.#slab !== undefined && this.#filled > 0) this.#parts.push(this.#slab.subarray(0, this.#filled));
    this.#slab = undefined;
    this.#filled = 0;
  }
}
