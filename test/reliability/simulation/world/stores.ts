import type { Clock } from '@orch/machinery';
import { History } from './history.ts';
import { SimulatedStore } from './simulated-store.ts';
import type { Trace } from './trace.ts';

/** The stores of a simulation, of which one at a time has the content. */
export class Stores {
  readonly history = new History();
  readonly all: SimulatedStore[] = [];
  /** Whether servers follow when the content is moved or replaced. */
  readonly isMovable: boolean;
  /** The store that the flags of servers name. */
  first: SimulatedStore;
  readonly #clock: Clock;
  readonly #trace: Trace;

  constructor(clock: Clock, trace: Trace, isMovable: boolean) {
    this.#clock = clock;
    this.#trace = trace;
    this.isMovable = isMovable;
    this.first = this.add();
  }

  /** A new store without content. */
  add(): SimulatedStore {
    const name = this.all.length === 0 ? 'store' : `store-${this.all.length}`;
    const store = new SimulatedStore(this.#clock, this.#trace, { name, history: this.history });
    this.all.push(store);
    return store;
  }

  /** The newest revision, as clients see it. */
  get revision(): number {
    return Math.max(...this.all.map(({ revision }) => revision));
  }

  /** The store that has the content. */
  get current(): SimulatedStore {
    return this.all.findLast(({ isInUse, revision }) => isInUse && revision === this.revision) ?? this.first;
  }
}
