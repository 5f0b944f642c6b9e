export { encodeItems, itemsLength, sizeIn } from './encode-items.ts';
export { DEFAULT_OPTIONS, type WatchCacheOptions } from './options.ts';
export { storePages } from './store-list.ts';
export * from './types.ts';
export { createWatchCache, type WatchCacheConfig } from './watch-cache.ts';
