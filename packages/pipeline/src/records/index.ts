export { joinedUses } from './deprecated-uses.ts';
export { NOTABLE_MS, type ReplicaRecord, type RequestRecord } from './request-record.ts';
export { type RecordOwner, RequestRecords, SLOW_REQUEST_MS } from './request-records.ts';
