import type { Allocation, Owner, StoredAllocation } from './allocation-store.ts';
import type { Allocator, ValuePool } from './allocator.ts';

interface AddressPoolOptions {
  /** The allocators of the ranges of objects. */
  readonly others: () => readonly Allocator[];
  readonly checksDryRuns: boolean;
}

/** The addresses of one family: of the range of the flag, and of the ranges of objects, which may change at any time. */
export class AddressPool implements ValuePool {
  readonly checksDryRuns: boolean;
  readonly #main: Allocator;
  readonly #others: () => readonly Allocator[];

  constructor(main: Allocator, { others, checksDryRuns }: AddressPoolOptions) {
    this.#main = main;
    this.#others = others;
    this.checksDryRuns = checksDryRuns;
  }

  get text(): string {
    return this.#all()
      .map(({ text }) => text)
      .join();
  }

  contains(value: string): boolean {
    return this.#allocatorOf(value) !== undefined;
  }

  async take(value: string, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    return await (this.#allocatorOf(value) ?? this.#main).take(value, owner, signal);
  }

  /** The range of the flag is used first. */
  async takeAny(owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    for (const allocator of this.#all()) {
      const allocation = await allocator.takeAny(owner, signal);
      if (allocation !== undefined) return allocation;
    }
    return undefined;
  }

  find(value: string, signal: AbortSignal): Promise<StoredAllocation | undefined> {
    return this.#main.find(value, signal);
  }

  suggest(except: ReadonlySet<string>): string | undefined {
    for (const allocator of this.#all()) {
      const value = allocator.suggest(except);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Tells each allocator that its values are free. */
  async release(allocations: readonly Allocation[]): Promise<readonly Allocation[]> {
    const byAllocator = Map.groupBy(allocations, ({ value }) => this.#allocatorOf(value) ?? this.#main);
    const kept = await Promise.all([...byAllocator].map(([allocator, some]) => allocator.release(some)));
    return kept.flat();
  }

  #all(): readonly Allocator[] {
    return [this.#main, ...this.#others()];
  }

  #allocatorOf(value: string): Allocator | undefined {
    return this.#all().find((allocator) => allocator.contains(value));
  }
}
