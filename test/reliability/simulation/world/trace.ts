import { createHash } from 'node:crypto';
import type { Clock } from '@orch/machinery';

/** What happened in a simulation, in order. Two runs of one schedule have equal traces. */
export class Trace {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #lines: string[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  note(line: string): void {
    this.#lines.push(`${this.#clock.monotonic().toFixed(3)} ${line}`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex').slice(0, 16);
  }
}
