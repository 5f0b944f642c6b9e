import type { DiskCall } from './disk-call.ts';

type Change = (calls: readonly DiskCall[]) => readonly DiskCall[];

const without =
  (kind: DiskCall['kind'], file: string): Change =>
  (calls) =>
    calls.filter((call) => call.kind !== kind || call.kind === 'report' || call.file !== file);

/** Each report comes before the last sync of the log that it has waited for. */
const reportedEarly: Change = (calls) => {
  const changed: DiskCall[] = [];
  for (const call of calls) {
    const sync = changed.findLastIndex(({ kind }) => kind === 'sync');
    if (call.kind === 'report') changed.splice(sync, 0, call);
    else changed.push(call);
  }
  return changed;
};

/** What a store would do that had a defect, derived from the recorded calls of one that has none. */
export const plantedDiskDefects: Readonly<Record<string, Change>> = {
  'the log is not synced': without('sync', 'store.db-wal'),
  'the database is not synced before the log begins anew': without('sync', 'store.db'),
  'the checksums are not synced before they replace the old ones': without('sync', 'store.sums.new'),
  'the checksums do not replace the old ones': without('rename', 'store.sums.new'),
  'the mark is not synced with a new log': without('sync', 'store.mark'),
  'the names of files are not synced': without('sync', '.'),
  'commits are acknowledged before they are synced': reportedEarly,
};
