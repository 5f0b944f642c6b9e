import { type Logger, messageOf } from '@orch/machinery';

/** Work that runs until its signal aborts. A failure stops the program; the name is in the log entry. */
export type BackgroundTask = readonly [name: string, run: (signal: AbortSignal) => Promise<void>];

/** The task of a part that may be absent. */
export const taskOf = (
  name: string,
  part: { run(signal: AbortSignal): Promise<void> } | undefined,
): readonly BackgroundTask[] => (part === undefined ? [] : [[name, (stop) => part.run(stop)]]);

/** Work that runs beside the requests until it is stopped or a piece of it fails. */
export class Background {
  readonly #stop = new AbortController();
  readonly #failed = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Aborts when a piece of work fails, with its error as the reason; the program cannot continue then. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  start(what: string, work: (signal: AbortSignal) => Promise<void>): void {
    const running = work(this.#stop.signal).catch((error: unknown) => {
      if (this.#stop.signal.aborted) return;
      this.#log.error('background work failed', { what, error: messageOf(error) });
      this.#failed.abort(error);
    });
    this.#running.push(running);
  }

  /** Stops all work and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the program stops'));
    await Promise.all(this.#running);
  }
}
