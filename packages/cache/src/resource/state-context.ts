import type { EncodingBudget } from '../objects/encoding-cache.ts';
import type { SlabMemory } from '../objects/slab.ts';
import type { CachedResource } from '../types.ts';
import type { EncodedEventBudget } from '../watch/encoded-event-budget.ts';
import type { HistoryBudget } from '../watch/event-history.ts';

/** The context that the states of all resources share: common limits, the clock, and error reporting. */
export interface StateContext {
  readonly histories: HistoryBudget;
  readonly encodedEvents: EncodedEventBudget;
  readonly encodings: EncodingBudget;
  /** A random number for tables of keys. */
  readonly seed: number;
  /** Memory for the objects of one resource. */
  memory(): SlabMemory;
  monotonic(): number;
  corruptObject(resource: CachedResource, key: string, error: unknown): void;
}
