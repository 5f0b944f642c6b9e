export {
  type EmbeddedStoreOptions,
  openEmbeddedStore,
  type StartedWriter,
  type StoreLocation,
} from './open-embedded-store.ts';
export { openThreadStore, type ThreadStoreOptions } from './open-thread-store.ts';
export { type RepairOptions, type RepairReport, repairStore } from './repair/repair-store.ts';
export { WriterPorts } from './writer/thread-link.ts';
