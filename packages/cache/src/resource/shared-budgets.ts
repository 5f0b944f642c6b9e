import type { EncodingBudget } from '../objects/encoding-cache.ts';
import type { CachedResource } from '../types.ts';
import type { EncodedEventBudget } from '../watch/cache-event.ts';
import type { HistoryBudget } from '../watch/event-history.ts';

/** What the caches of all resources have in common: the bounds that hold for them together. */
export interface SharedBudgets {
  readonly histories: HistoryBudget;
  readonly encodedEvents: EncodedEventBudget;
  readonly encodings: EncodingBudget;
  monotonic(): number;
  corruptObject(resource: CachedResource, key: string, error: unknown): void;
}
