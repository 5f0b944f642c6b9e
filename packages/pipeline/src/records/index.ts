export {
  NOTABLE_MS,
  type ReplicaRecord,
  type RequestFailure,
  type RequestRecord,
  type RequestTiming,
} from './request-record.ts';
export { type RecordOwner, type RequestEnd, RequestRecords, SLOW_REQUEST_MS } from './request-records.ts';
