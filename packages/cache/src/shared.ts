import type { FrameBudget } from './event.ts';
import type { RenditionBudget } from './renditions.ts';
import type { CachedResource } from './types.ts';
import type { WindowBudget } from './window.ts';

/** What the caches of all resources have in common: the bounds that hold for them together. */
export interface Shared {
  readonly windows: WindowBudget;
  readonly frames: FrameBudget;
  readonly renditions: RenditionBudget;
  monotonic(): number;
  corruptObject(resource: CachedResource, key: string, error: unknown): void;
}
