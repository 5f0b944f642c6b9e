export { type CarriedRevisions, carriedValue } from './carried-value.ts';
export { changeRecord } from './change-record.ts';
export { currentStore, unusable } from './current-store.ts';
export { endPause } from './end-pause.ts';
export type { Migration } from './migration.ts';
export { MovableStore } from './movable-store.ts';
export { OffsetStore } from './offset-store.ts';
export type { OpenPlaceOptions } from './open-place.ts';
export { type PausedStore, pauseWrites } from './pause-writes.ts';
export type { Backend, Place } from './place.ts';
export { RecordGuardedStore } from './record-guarded-store.ts';
export type { RevisionLineage } from './revision-map.ts';
export {
  isSameRecord,
  newStoreRecord,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  type StoreState,
  storeRecordKey,
  writeStoreRecord,
} from './store-record.ts';
