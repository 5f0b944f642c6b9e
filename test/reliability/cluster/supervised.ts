import { type RunningProcess, start } from '@orch/testkit';

/** A program that is started again soon after it has ended, as init systems and clusters do, until it is disposed. */
export class Supervised implements AsyncDisposable {
  readonly name: string;
  /** How often it was started. */
  starts = 0;
  /** The reason of each exit of its own, with a status other than 0. */
  readonly failures: string[] = [];
  readonly #path: string;
  readonly #argv: () => readonly string[];
  readonly #restartMs: () => number;
  readonly #env: Readonly<Record<string, string>>;
  #process: RunningProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** An aborted test leaves no process behind. */
  readonly #atExit = (): void => this.signal('SIGKILL');
  #log = '';

  /** `argv` and `restartMs` are called before every start. */
  constructor(options: {
    readonly name: string;
    readonly path: string;
    readonly argv: () => readonly string[];
    readonly restartMs: () => number;
    /** Variables of its environment besides the path. */
    readonly env?: Readonly<Record<string, string>>;
  }) {
    this.name = options.name;
    this.#path = options.path;
    this.#argv = options.argv;
    this.#restartMs = options.restartMs;
    this.#env = options.env ?? {};
    process.once('exit', this.#atExit);
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Identifier of the process; undefined when none runs. */
  get pid(): number | undefined {
    return this.#process?.child.pid;
  }

  /** The output of the current process so far. */
  get output(): string {
    return this.#process?.output() ?? '';
  }

  /** The end of the output of each process. */
  get log(): string {
    return this.#log + this.output;
  }

  start(): void {
    if (this.#isOver || this.#process !== undefined) return;
    clearTimeout(this.#timer);
    this.starts += 1;
    const running = start(this.#path, this.#argv(), {
      env: { PATH: process.env['PATH'], ...this.#env },
    });
    this.#process = running;
    running.child.once('close', (code, signal) => {
      this.#process = undefined;
      if (signal === null && code !== 0) this.failures.push(reasonIn(running.output()));
      this.#log += `${running.output().slice(-16_384)}\n--- ${this.name} ended: ${signal ?? code}\n`;
      if (!this.#isOver) this.#timer = setTimeout(() => this.start(), this.#restartMs());
    });
  }

  async waitFor(pattern: RegExp, deadlineMs: number): Promise<RegExpExecArray> {
    if (this.#process === undefined) throw new Error(`${this.name} does not run`);
    return this.#process.waitFor(pattern, deadlineMs);
  }

  /** Sends a signal, if the process runs. */
  signal(signal: NodeJS.Signals): void {
    this.#process?.child.kill(signal);
  }

  /** Ends it permanently. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    const running = this.#process;
    if (running === undefined) return;
    running.child.kill('SIGCONT');
    const late = setTimeout(() => running.child.kill('SIGKILL'), 15_000);
    await running.stop(signal);
    clearTimeout(late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
    process.off('exit', this.#atExit);
  }
}

/** The line for users, which log lines may follow; the last one when there is none. */
function reasonIn(output: string): string {
  const lines = output.trimEnd().split('\n');
  return lines.findLast((line) => line.startsWith('orch-')) ?? lines.at(-1) ?? '';
}
