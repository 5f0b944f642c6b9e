export { runCompactor } from './compactor.ts';
export { encryptionPrefixOf } from './encryption-prefix.ts';
export { isOutdated, outdated } from './extensions/outdated-value.ts';
export {
  MAX_SIDE_WRITES,
  makingRoom,
  type SideWrite,
  type SideWrites,
  sideWritesOf,
} from './extensions/write-extensions.ts';
export { ForwardingStore } from './forwarding-store.ts';
export {
  besideRanges,
  compactionKeyOf,
  compareKeys,
  historyPrefixOf,
  type KeyRange,
  keyAfter,
  placementKeyOf,
  prefixRange,
  type WatchRange,
} from './keys.ts';
export {
  type Backend,
  type CarriedRevisions,
  carriedValue,
  changeRecord,
  currentStore,
  endPause,
  isSameRecord,
  type Migration,
  MovableStore,
  newStoreRecord,
  pauseWrites,
  RecordGuardedStore,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  storeRecordKey,
  writeStoreRecord,
} from './lineage/index.ts';
export { type Before, ModelContent } from './model-content.ts';
export { ModelStore } from './model-store.ts';
export { RoutedStore, type StoreRoute } from './routed-store.ts';
export {
  type Committed,
  type Guard,
  type KeyValue,
  type KvEvent,
  type Page,
  type ReadableKeyValue,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type StoreErrorCode,
  type WatchBatch,
  type Write,
} from './store.ts';
export { eventKey, eventRevision, readable } from './store-values.ts';
export { type StartedWriter, type StoreLocation, type ThreadStore, WriterPorts } from './thread-store.ts';
