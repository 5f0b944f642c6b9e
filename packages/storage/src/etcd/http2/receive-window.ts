import { ErrorCode, Http2Error } from './constants.ts';

/**
 * Our side of flow control, for a stream or a whole connection (RFC 9113 section 5.2): received bytes are granted
 * again in batches of half the window. A held window grants nothing, which stops the peer.
 */
export class ReceiveWindow {
  readonly #size: number;
  #open: number;
  #owed = 0;
  #held = false;

  /** `size`: the target size of the window; `open`: its initial size. */
  constructor(size: number, open = size) {
    this.#size = size;
    this.#open = open;
  }

  /** Counts a received frame. Throws when the peer exceeded the window. */
  take(length: number): void {
    this.#open -= length;
    if (this.#open < 0) throw new Http2Error(ErrorCode.flowControlError, 'the peer exceeded its window');
    this.#owed += length;
  }

  /** Increment to announce now; 0 when it does not justify a frame. */
  grant(): number {
    if (this.#held || this.#owed * 2 < this.#size) return 0;
    const increment = this.#owed;
    this.#owed = 0;
    this.#open += increment;
    return increment;
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
  }
}
