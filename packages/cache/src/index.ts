export { ObjectFeed } from './feed/object-feed.ts';
export { encodeItems, itemsLength, sizeIn } from './objects/encode-items.ts';
export { UnreadableObjectsError } from './objects/unreadable-objects-error.ts';
export { ResourceRemovedError } from './resource/resource-removed-error.ts';
export { storePages } from './resource/store-pages.ts';
export { SharedProgress } from './sync/shared-progress.ts';
export * from './types.ts';
export { createWatchCache, type ThreadLinks } from './watch-cache.ts';
