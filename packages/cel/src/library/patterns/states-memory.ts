/** An automaton whose states are computed on demand, and can be computed again. */
interface Automaton {
  /** Bytes that its states may take, and those of them that are left. */
  readonly stateBudget: number;
  readonly memBudget: number;
  clearCache(): void;
}

/**
 * Bounds the memory for the states of all automata together: each has a separate bound, and definitions may have thousands of
 * patterns. When the bound is reached, all states are dropped; those that are still needed are determined again.
 */
export class StatesMemory {
  readonly #maxBytes: number;
  #bytes = 0;
  #drops = 0;
  readonly #grown = new Set<WeakRef<Automaton>>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of states, including those of unused automata, until all are dropped. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Accounts for an automaton. The function that is returned must be called after each of its matches. */
  account(automaton: Automaton): () => void {
    const reference = new WeakRef(automaton);
    let [known, drops] = [0, this.#drops];
    return () => {
      const bytes = automaton.stateBudget - automaton.memBudget;
      if (drops !== this.#drops) [known, drops] = [0, this.#drops];
      if (bytes === known) return;
      this.#grown.add(reference);
      this.#bytes += bytes - known;
      known = bytes;
      if (this.#bytes > this.#maxBytes) this.#drop();
    };
  }

  #drop(): void {
    for (const reference of this.#grown) reference.deref()?.clearCache();
    this.#grown.clear();
    this.#bytes = 0;
    this.#drops += 1;
  }
}
