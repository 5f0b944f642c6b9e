import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Outcome, Request } from './seeds-worker.ts';

/** A simulation allocates much that ends with it: few collections of young objects cost less. */
const YOUNG_GENERATION_MB = 192;

/** Threads that run simulations, one at a time each. Starts them when they are needed. */
export class SimulationThreads {
  readonly #all: Worker[] = [];
  readonly #idle: Worker[] = [];

  async outcomeOf(request: Request): Promise<Outcome> {
    const worker = this.#idle.pop() ?? this.#start();
    const answered = once(worker, 'message');
    worker.postMessage(request);
    const [outcome] = (await answered) as [Outcome];
    this.#idle.push(worker);
    return outcome;
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }

  #start(): Worker {
    const worker = new Worker(new URL('./seeds-worker.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#all.push(worker);
    return worker;
  }
}
