import { anySignal, deferred, onAbort } from '@orch/machinery/concurrency';
import { type CheckResult, type HealthCheck, healthy } from '@orch/program';
import type { ReloadedFiles } from './reloaded-files.ts';

type Files = Pick<ReloadedFiles<unknown>, 'check' | 'run'>;

/** All files of a server that are reloaded when they change. */
export class Reloads {
  /** The controller that ends the reloads of each. */
  readonly #all = new Map<Files, AbortController>();
  /** Absent before they are reloaded. */
  #start: ((files: Files, stop: AbortSignal) => void) | undefined;

  /** May be called at any time. */
  add<T>(files: ReloadedFiles<T>): ReloadedFiles<T> {
    const stop = new AbortController();
    this.#all.set(files, stop);
    this.#start?.(files, stop.signal);
    return files;
  }

  /** The files are no longer used. */
  remove<T>(files: ReloadedFiles<T>): void {
    this.#all.get(files)?.abort();
    this.#all.delete(files);
  }

  /** A check for each name, which fails while any files that are used under it are others than those that were read last. */
  get checks(): readonly HealthCheck[] {
    const byName = new Map([...this.#all.keys()].map(({ check }) => [check.name, check]));
    return [...byName.values()].map((check) => ({
      ...check,
      run: (signal) => this.#run(check.name, signal),
    }));
  }

  async #run(name: string, signal: AbortSignal): Promise<CheckResult> {
    for (const { check } of [...this.#all.keys()]) {
      if (check.name !== name) continue;
      const result = await check.run(signal);
      if (!result.ok) return result;
    }
    return healthy;
  }

  /** Reloads the files, also those that are added later, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const ended = deferred();
    const running = new Set<Promise<void>>();
    const reload = async (files: Files, stop: AbortSignal): Promise<void> => {
      using either = anySignal([signal, stop]);
      await files.run(either.signal);
    };
    this.#start = (files, stop) => {
      const work = reload(files, stop)
        .catch(ended.reject)
        .finally(() => running.delete(work));
      running.add(work);
    };
    const unregister = onAbort(signal, () => ended.resolve());
    for (const [files, stop] of this.#all) this.#start(files, stop.signal);
    try {
      await ended.promise;
    } finally {
      unregister();
      this.#start = undefined;
    }
    await Promise.all(running);
  }
}
