import type { Clock, Env } from '@orch/machinery';
import { Turns } from '@orch/machinery/concurrency';

/** A task that runs once in the next tick, the next iteration of the event loop. */
export interface FlushTask {
  /** True while the task waits for its tick; set only by the scheduler. */
  queued: boolean;
  /** It takes as long as many others: one such task runs in a tick, and other work of the thread has as much time. */
  readonly isLong: boolean;
  flush(): void;
}

/** After this time the remaining tasks wait for the next tick, so that requests are handled in between. */
const SLICE_MS = 8;

/** Tasks between two reads of the clock, since most tasks take less time than one read. */
const TASKS_PER_CLOCK_READ = 8;

type FlushEnv = Pick<Env, 'turns'> & { readonly clock: Pick<Clock, 'monotonic'> };

/** Runs each scheduled task once per tick, so that everything that arrives together is delivered together. */
export class FlushScheduler {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #failed: (error: unknown) => void;
  readonly #turns: Turns;
  #tasks: FlushTask[] = [];
  #scheduled = false;

  /** `failed` is called with the error of a task that throws; the other tasks still run. */
  constructor(env: FlushEnv, failed: (error: unknown) => void) {
    this.#clock = env.clock;
    this.#failed = failed;
    this.#turns = new Turns(env, 'hurried');
  }

  schedule(task: FlushTask): void {
    if (task.queued) return;
    task.queued = true;
    if (task.isLong) {
      void this.#turns.next().then(() => this.#run(task));
      return;
    }
    this.#tasks.push(task);
    this.#scheduleTick();
  }

  #run(task: FlushTask): void {
    task.queued = false;
    try {
      task.flush();
    } catch (error) {
      this.#failed(error);
    }
  }

  #scheduleTick(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#tick());
  }

  #tick(): void {
    const tasks = this.#tasks;
    this.#tasks = [];
    this.#scheduled = false;
    const end = this.#clock.monotonic() + SLICE_MS;
    for (let done = 0; done < tasks.length; ) {
      this.#run(tasks[done++] as FlushTask);
      if (done % TASKS_PER_CLOCK_READ !== 0 || this.#clock.monotonic() < end) continue;
      // The remaining tasks run before those that were scheduled during this tick.
      this.#tasks.unshift(...tasks.slice(done));
      if (this.#tasks.length > 0) this.#scheduleTick();
      return;
    }
  }
}
