export { currentStore } from './current-store.ts';
export { OffsetStore } from './offset-store.ts';
export {
  newStoreRecord,
  readStoreRecord,
  type StoredRecord,
  type StoreRecord,
  type StoreState,
  storeRecordKey,
  writeStoreRecord,
} from './store-record.ts';
