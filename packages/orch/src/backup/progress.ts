import type { Clock } from '@orch/machinery';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly title: string;
  /** The counted unit. */
  readonly unit?: string;
}

const INTERVAL_MS = 100;
const BAR_WIDTH = 24;
/** Erases a line of a terminal. */
const CLEAR = '\r\u001b[K';

/** A progress line on a terminal; nothing on other streams. */
export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** Without `total`, only the number is shown. */
  show(done: number, total?: number): void {
    const { stream, clock, title, unit = 'keys' } = this.#options;
    if (!stream.isTTY) return;
    const now = clock.monotonic();
    if (now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    stream.write(`${CLEAR}${title} ${total === undefined ? '' : bar(done, total)}${done} ${unit}`);
  }

  [Symbol.dispose](): void {
    if (this.#shownAt > Number.NEGATIVE_INFINITY) this.#options.stream.write(CLEAR);
  }
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${Math.floor(100 * share)}% `;
}
