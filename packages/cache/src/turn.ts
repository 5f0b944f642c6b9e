/** Something with work to do once in the next turn of the event loop. */
export interface TurnTask {
  /** Set while the task waits for its turn; belongs to the schedule. */
  queued: boolean;
  turn(): void;
}

/**
 * Runs tasks once per turn of the event loop, however often they were woken in between: what arrives together is
 * handed on together.
 */
export class TurnSchedule {
  #tasks: TurnTask[] = [];
  #scheduled = false;

  wake(task: TurnTask): void {
    if (task.queued) return;
    task.queued = true;
    this.#tasks.push(task);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    const tasks = this.#tasks;
    this.#tasks = [];
    this.#scheduled = false;
    for (const task of tasks) {
      task.queued = false;
      task.turn();
    }
  }
}

/** Lets the event loop turn once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
