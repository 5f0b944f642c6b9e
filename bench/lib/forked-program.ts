import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A program in a separate process, which answers each message with one. */
export class ForkedProgram implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exited = new AbortController();

  constructor(path: string, words: readonly string[]) {
    this.#process = fork(path, words, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.#process.once('exit', (code) =>
      this.#exited.abort(new Error(`${path} ended with exit code ${code}`)),
    );
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The answer to a message; rejects if the program ends. */
  async ask(message: unknown): Promise<unknown> {
    this.#process.send(message as string);
    const [answer] = (await once(this.#process, 'message', { signal: this.#exited.signal })) as unknown[];
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}
