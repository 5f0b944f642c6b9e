import type { RenditionBudget } from '../objects/encoding-cache.ts';
import type { CachedResource } from '../types.ts';
import type { FrameBudget } from '../watch/cache-event.ts';
import type { WindowBudget } from '../watch/event-history.ts';

/** What the caches of all resources have in common: the bounds that hold for them together. */
export interface Shared {
  readonly windows: WindowBudget;
  readonly frames: FrameBudget;
  readonly renditions: RenditionBudget;
  monotonic(): number;
  corruptObject(resource: CachedResource, key: string, error: unknown): void;
}
