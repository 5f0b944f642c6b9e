import type { Clock } from '@orch/machinery';

/** Something with work to do once in the next turn of the event loop. */
export interface FlushTask {
  /** Set while the task waits for its turn; belongs to the schedule. */
  queued: boolean;
  flush(): void;
}

/** After this long the rest of the tasks waits for the next turn, so that requests get theirs in between. */
const SLICE_MS = 8;

/** Most tasks take less than a look at the clock. */
const TASKS_A_LOOK = 8;

/**
 * Runs tasks once per turn of the event loop, however often they were woken in between: what arrives together is
 * handed on together.
 */
export class FlushScheduler {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #failed: (error: unknown) => void;
  #tasks: FlushTask[] = [];
  #scheduled = false;

  /** `failed` is told of tasks that throw; the others go on. */
  constructor(clock: Pick<Clock, 'monotonic'>, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
  }

  wake(task: FlushTask): void {
    if (task.queued) return;
    task.queued = true;
    this.#tasks.push(task);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const tasks = this.#tasks;
    this.#tasks = [];
    this.#scheduled = false;
    const end = this.#clock.monotonic() + SLICE_MS;
    for (let done = 0; done < tasks.length; ) {
      const task = tasks[done++] as FlushTask;
      task.queued = false;
      try {
        task.flush();
      } catch (error) {
        this.#failed(error);
      }
      if (done % TASKS_A_LOOK !== 0 || this.#clock.monotonic() < end) continue;
      // Before those that were woken meanwhile: they had their turn.
      this.#tasks.unshift(...tasks.slice(done));
      if (this.#tasks.length > 0) this.#schedule();
      return;
    }
  }
}

/** Lets the event loop turn once. */
export function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
