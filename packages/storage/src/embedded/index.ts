export { hasStore } from './files/store-files.ts';
export {
  type EmbeddedStoreOptions,
  openEmbeddedStore,
} from './open-embedded-store.ts';
export { openThreadStore, type ThreadStoreOptions } from './open-thread-store.ts';
export { type RepairOptions, type RepairReport, repairStore } from './repair/repair-store.ts';
export { SharedWriterThread } from './writer/shared-writer-thread.ts';
