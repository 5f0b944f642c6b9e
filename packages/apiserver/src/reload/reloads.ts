import { type HealthCheck, runAll } from '@orch/program';
import type { ReloadedFiles } from './reloaded-files.ts';

/** All files of a server that are reloaded when they change. */
export class Reloads {
  readonly #all: Pick<ReloadedFiles<unknown>, 'check' | 'run'>[] = [];

  add<T>(files: ReloadedFiles<T>): ReloadedFiles<T> {
    this.#all.push(files);
    return files;
  }

  /** A check for each, which fails while its files are others than those in use. */
  get checks(): readonly HealthCheck[] {
    return this.#all.map(({ check }) => check);
  }

  /** Reloads the files until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await runAll(
      this.#all.map((files) => (stop: AbortSignal) => files.run(stop)),
      signal,
    );
  }
}
