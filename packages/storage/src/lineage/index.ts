export { type CarriedRevisions, carriedValue } from './carried-value.ts';
export { changeRecord } from './change-record.ts';
export { currentStore } from './current-store.ts';
export { endPause } from './end-pause.ts';
export type { Migration } from './migration.ts';
export { MovableStore } from './movable-store.ts';
export { pauseWrites } from './pause-writes.ts';
export type { Backend } from './place.ts';
export { RecordGuardedStore } from './record-guarded-store.ts';
export {
  isSameRecord,
  newStoreRecord,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  storeRecordKey,
  writeStoreRecord,
} from './store-record.ts';
