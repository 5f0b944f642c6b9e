import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
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
  readonly #process: ChildProcess;
  readonly #exited = new AbortController();

  constructor({ url, certPath, connections }: BareClientOptions) {
    const program = join(import.meta.dirname, 'bare-client-program.ts');
    this.#process = fork(program, [url, certPath, String(connections)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    this.#process.once('exit', (code) =>
      this.#exited.abort(new Error(`the bare client ended with exit code ${code}`)),
    );
  }

  /** Sends the last review of the server `count` times. */
  post(count: number): Promise<Measured> {
    return measure(this.#process.pid ?? 0, async () => {
      this.#process.send(count);
      await once(this.#process, 'message', { signal: this.#exited.signal });
      return count;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}
