import { type Logger, messageOf } from '@orch/machinery';

/**
 * Cleanup steps of a program, run in reverse order when it ends; a failed step does not keep the others from running.
 */
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
