import type { ObservedQueue, WorkObserver } from '@orch/machinery';

/** The queues of a control plane and of the controllers under test. */
export class ObservedWork implements WorkObserver {
  readonly #queues = new Set<ObservedQueue>();

  opened(queue: ObservedQueue): () => void {
    this.#queues.add(queue);
    return () => this.#queues.delete(queue);
  }

  /** The queues that are open, of which those of controllers have their names. */
  get names(): readonly string[] {
    return Array.from(this.#queues, ({ name }) => name);
  }

  /** Whether a key waits for a worker or is processed now. */
  get isBusy(): boolean {
    for (const { size, working } of this.#queues) if (size + working > 0) return true;
    return false;
  }

  /** Whether a key waits, is processed, or has failed and waits for another attempt. */
  get remains(): boolean {
    for (const { size, working, failing } of this.#queues) if (size + working + failing > 0) return true;
    return false;
  }

  /** The work that remains, by queue, such as `garbagecollector (2 waiting, 1 failing)`. */
  remaining(): readonly string[] {
    return [...this.#queues].flatMap(({ name, size, working, failing }) => {
      const counts = { waiting: size, working, failing };
      const parts = Object.entries(counts).flatMap(([state, count]) =>
        count > 0 ? [`${count} ${state}`] : [],
      );
      return parts.length === 0 ? [] : [`${name} (${parts.join(', ')})`];
    });
  }
}
