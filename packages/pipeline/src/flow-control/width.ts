import {
  type ApiRequest,
  historyPageSize,
  isReadOnly,
  queryValue,
  type RequestInfo,
  type ResourceRequest,
  selectedNameOf,
} from '@orch/request';

type Query = Pick<ApiRequest, 'rawQuery'>;

/** Objects that are read per seat. */
const OBJECTS_PER_SEAT = 100;
/** Watchers that are notified of a write per seat. */
const WATCHERS_PER_SEAT = 100;
const MAX_SEATS = 10;

/** Upper bound on the number of objects, or watchers, of a request; undefined when unknown. */
export type CountObjects = (info: ResourceRequest) => number | undefined;

/** Counts from which the seats of a request are estimated. */
export interface WorkCounts {
  readonly countObjects: CountObjects;
  readonly countWatchers: CountObjects;
}

/**
 * Number of seats of a request: more for lists, for watches that begin with all objects, and for writes with many
 * watchers. `watched` observes the number of watchers.
 */
export function widthOf(
  { info, request }: { readonly info: RequestInfo; readonly request: Query },
  counts: WorkCounts,
  watched: { observe(count: number): void },
): number {
  if (!info.isResource) return 1;
  if (isReadOnly(info)) return seatsOf(objectsRead(info, request, counts), OBJECTS_PER_SEAT);
  const watchers = counts.countWatchers(info);
  if (watchers === undefined) return 1;
  watched.observe(watchers);
  const removed = info.verb === 'deletecollection' ? (counts.countObjects(info) ?? 0) : 0;
  return Math.max(seatsOf(watchers, WATCHERS_PER_SEAT), seatsOf(removed, OBJECTS_PER_SEAT));
}

const seatsOf = (work: number, perSeat: number): number =>
  Math.min(Math.max(Math.ceil(work / perSeat), 1), MAX_SEATS);

function objectsRead(info: ResourceRequest, request: Query, counts: WorkCounts): number {
  const { countObjects } = counts;
  if (info.isHistory === true) return statesRead(info, request, counts);
  const isWatch = info.verb === 'watch';
  if (info.name !== '' || (!isWatch && info.verb !== 'list')) return 1;
  if (isWatch && !beginsWithAll(request)) return 1;
  // A name within a namespace is a lookup; in all namespaces it is a scan.
  if (info.namespace !== '' && selectedNameOf(info, request.rawQuery) !== '') return 1;
  const all = countObjects(info) ?? 0;
  const limit = isWatch ? 0 : Number(queryValue(request.rawQuery, 'limit') ?? 0);
  return limit > 0 ? Math.min(all, limit) : all;
}

/** Each change of a page has a state before and after it; for those of a collection, the keys of all objects are scanned. */
function statesRead(info: ResourceRequest, { rawQuery }: Query, { countObjects }: WorkCounts): number {
  if (info.name !== '' && (queryValue(rawQuery, 'at') ?? '') !== '') return 1;
  const scanned = info.name === '' ? (countObjects(info) ?? 0) : 0;
  return scanned + 2 * historyPageSize(Number(queryValue(rawQuery, 'limit') ?? 0));
}

function beginsWithAll({ rawQuery }: Query): boolean {
  const from = queryValue(rawQuery, 'resourceVersion') ?? '';
  return from === '' || from === '0';
}
