import { join } from 'node:path';
import type { RunningProcess } from '@orch/testkit';

const REPORT_TIMEOUT_MS = 60_000;

/** The environment of a program whose event loop `LoopHolds` observes. */
export const probedEnv = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-probe.ts')} --disable-warning=ExperimentalWarning`,
};

/** The holds of the event loop of a server that was started with `probedEnv`. */
export class LoopHolds {
  readonly #process: RunningProcess;
  readonly #pid: number;
  #reports = 0;

  constructor(process: RunningProcess, pid: number) {
    this.#process = process;
    this.#pid = pid;
  }

  /** The longest hold since the last call, in milliseconds of CPU. */
  async longest(): Promise<number> {
    this.#reports += 1;
    process.kill(this.#pid, 'SIGUSR2');
    const [, ms] = await this.#process.waitFor(
      new RegExp(`hold ${this.#reports}: ([\\d.]+) ms`),
      REPORT_TIMEOUT_MS,
    );
    return Number(ms);
  }
}
