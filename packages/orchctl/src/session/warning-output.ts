import type { TextOutput } from '../io.ts';

/** Writes each warning of the server once, to standard error. */
export class WarningOutput {
  readonly #output: TextOutput;
  readonly #written = new Set<string>();

  constructor(output: TextOutput) {
    this.#output = output;
  }

  /** The number of different warnings so far. */
  get count(): number {
    return this.#written.size;
  }

  add(text: string): void {
    if (this.#written.has(text)) return;
    this.#written.add(text);
    this.#output.write(`Warning: ${text}\n`);
  }
}
