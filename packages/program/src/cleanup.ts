import { type Logger, messageOf } from '@orch/machinery';

/** The work to undo when a program ends, in reverse order; a failure does not keep the rest from being done. */
export class Cleanup {
  readonly #log: Logger;
  readonly #steps: { readonly what: string; run(): void | Promise<void> }[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(what: string, run: () => void | Promise<void>): void {
    this.#steps.push({ what, run });
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step.run();
      } catch (error) {
        this.#log.error('clean-up failed', { what: step.what, error: messageOf(error) });
      }
    }
  }
}
