export { MemoryFeed } from './memory-feed.ts';
