import { join } from 'node:path';
import { ForkedProgram } from './forked-program.ts';
import { type Measured, measure } from './measure.ts';

export interface BareClientOptions {
  /** URL of a review server. */
  readonly url: string;
  /** File of its certificate. */
  readonly certPath: string;
  readonly connections: number;
}

/** A process with a bare client over node:https, whose CPU is measured. */
export class BareClient implements AsyncDisposable {
  readonly #program: ForkedProgram;

  constructor({ url, certPath, connections }: BareClientOptions) {
    const path = join(import.meta.dirname, 'bare-client-program.ts');
    this.#program = new ForkedProgram(path, [url, certPath, String(connections)]);
  }

  /** Sends the last review of the server `count` times. */
  post(count: number): Promise<Measured> {
    return measure(this.#program.pid, async () => {
      await this.#program.ask(count);
      return count;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
