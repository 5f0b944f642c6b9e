import { type ChildProcess, fork } from 'node:child_process';
import type { HostEnd, HostMessage, Order, Report } from './messages.ts';

const KEEP_CHARACTERS = 4000;

/** A host as its pool sees it. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #running = new Set<number>();
  #started = 0;
  #cpuSeconds = 0;
  #output = '';
  /** Receives the reports of the host, and its end. */
  onReport: (report: Report | HostEnd) => void = () => undefined;
  /** Is called when no server is running any more. */
  onIdle: () => void = () => undefined;

  /** `path` is that of the built program, `options` are those of Node. */
  constructor(path: string, options: readonly string[], onEnd: () => void) {
    const execArgv = ['--disable-warning=ExperimentalWarning', ...options];
    this.#child = fork(path, { execArgv, silent: true });
    const keep = (text: string): void => {
      this.#output = (this.#output + text).slice(-KEEP_CHARACTERS);
    };
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', keep);
    this.#child.on('message', (message) => this.#receive(message as HostMessage));
    this.#child.on('error', (error) => keep(error.message));
    this.#child.on('close', () => {
      onEnd();
      this.onReport({ output: this.#output });
    });
  }

  /** The number of servers that it has started. */
  get started(): number {
    return this.#started;
  }

  /** Its CPU time at its last report. */
  get cpuSeconds(): number {
    return this.#cpuSeconds;
  }

  get idle(): boolean {
    return this.#running.size === 0;
  }

  obey(order: Order): void {
    if (!('stop' in order)) {
      this.#running.add(order.server);
      this.#started += 1;
    }
    // An error comes before the end of the process, which is reported.
    this.#child.send(order, () => undefined);
  }

  stopAll(): void {
    for (const server of this.#running) this.obey({ server, stop: true });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #receive({ report, cpuSeconds }: HostMessage): void {
    this.#cpuSeconds = cpuSeconds;
    if ('error' in report) this.#running.delete(report.server);
    this.onReport(report);
    if (this.idle) this.onIdle();
  }
}
