export { type CompactorOptions, runCompactor } from './compactor.ts';
export { encryptionPrefixOf } from './encryption-prefix.ts';
export { ForwardingStore } from './forwarding-store.ts';
export {
  besideRanges,
  compactionKeyOf,
  compareKeys,
  historyPrefixOf,
  inRange,
  type KeyRange,
  keyAfter,
  prefixRange,
} from './keys.ts';
export { eventKey, eventRevision } from './kv-event.ts';
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
  OffsetStore,
  type OpenPlaceOptions,
  type PausedStore,
  type Place,
  pauseWrites,
  RecordGuardedStore,
  type RevisionLineage,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  type StoreState,
  storeRecordKey,
  unusable,
  writeStoreRecord,
} from './lineage/index.ts';
export { ModelStore, type ModelStoreOptions } from './model-store.ts';
export {
  type Committed,
  type Guard,
  type Guards,
  type KeyValue,
  type KvEvent,
  MAX_SIDE_WRITES,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type SideWrite,
  type Store,
  StoreError,
  type StoreErrorCode,
  type WatchBatch,
  type Write,
} from './store.ts';
