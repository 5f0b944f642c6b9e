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
/** A request as far as its cost depends on it. */
type Weighed = Pick<ApiRequest, 'rawQuery' | 'bodyLength' | 'headers'>;

/** Objects that are read per seat. */
const OBJECTS_PER_SEAT = 100;
/** Bytes of these objects per seat, for larger ones. */
const BYTES_READ_PER_SEAT = 500_000;
/** Watchers that are notified of a write per seat. */
const WATCHERS_PER_SEAT = 100;
/** Bytes per seat of a body, or of the one object that is read or changed. */
const BYTES_PER_SEAT = 100_000;
const MAX_SEATS = 10;
/** Of a body whose length is unknown until it has been read. */
const UNKNOWN_BYTES = MAX_SEATS * BYTES_PER_SEAT;

/** Upper bound on the number of objects, watchers or bytes of a request; undefined when unknown. */
export type CountObjects = (info: ResourceRequest) => number | undefined;

/** Counts from which the seats of a request are estimated. */
export interface WorkCounts {
  readonly countObjects: CountObjects;
  readonly countWatchers: CountObjects;
  /** The size of the object that the request names, or of all objects of its resource. */
  readonly countBytes: CountObjects;
  /** The bytes of the answer at a path that is not one of a resource; small ones when absent. */
  readonly countAnswer?: (path: string, request: Weighed) => number;
}

/**
 * Number of seats of a request: more for lists, for watches that begin with all objects, for large objects, and for writes
 * with many watchers. `watched` observes the number of watchers.
 */
export function widthOf(
  { info, request }: { readonly info: RequestInfo; readonly request: Weighed },
  counts: WorkCounts,
  watched: { observe(count: number): void },
): number {
  if (!info.isResource) {
    const answer = seatsOf(counts.countAnswer?.(info.path, request) ?? 0, BYTES_READ_PER_SEAT);
    return isReadOnly(info) ? answer : seatsOf(bodyOf(request), BYTES_PER_SEAT);
  }
  if (isReadOnly(info)) return seatsOfRead(info, request, counts);
  const watchers = counts.countWatchers(info);
  const ofBytes = seatsOf(bytesWritten(info, request, counts), BYTES_PER_SEAT);
  if (watchers === undefined) return ofBytes;
  watched.observe(watchers);
  const removed = info.verb === 'deletecollection' ? (counts.countObjects(info) ?? 0) : 0;
  return Math.max(ofBytes, seatsOf(watchers, WATCHERS_PER_SEAT), seatsOf(removed, OBJECTS_PER_SEAT));
}

const bodyOf = ({ bodyLength = UNKNOWN_BYTES }: Weighed): number => bodyLength;

/** A write costs as much as the object that it changes or deletes, however small its body is. */
function bytesWritten(info: ResourceRequest, request: Weighed, { countBytes }: WorkCounts): number {
  const sent = bodyOf(request);
  return info.name === '' ? sent : Math.max(sent, countBytes(info) ?? 0);
}

const seatsOf = (work: number, perSeat: number): number =>
  Math.min(Math.max(Math.ceil(work / perSeat), 1), MAX_SEATS);

function seatsOfRead(info: ResourceRequest, request: Query, counts: WorkCounts): number {
  const size = info.name === '' ? meanSize(info, counts) : (counts.countBytes(info) ?? 0);
  if (info.isHistory === true) return seatsOfObjects(statesRead(info, request, counts), size);
  const isWatch = info.verb === 'watch';
  if (isWatch && !beginsWithAll(request)) return 1;
  if (info.name !== '') return seatsOf(size, BYTES_PER_SEAT);
  return isWatch || info.verb === 'list' ? seatsOfObjects(objectsRead(info, request, counts), size) : 1;
}

const seatsOfObjects = (objects: number, size: number): number =>
  Math.max(seatsOf(objects, OBJECTS_PER_SEAT), seatsOf(objects * size, BYTES_READ_PER_SEAT));

const meanSize = (info: ResourceRequest, { countObjects, countBytes }: WorkCounts): number =>
  (countBytes(info) ?? 0) / Math.max(countObjects(info) ?? 0, 1);

function objectsRead(info: ResourceRequest, request: Query, { countObjects }: WorkCounts): number {
  // A name within a namespace is a lookup; in all namespaces it is a scan.
  if (info.namespace !== '' && selectedNameOf(info, request.rawQuery) !== '') return 1;
  const all = countObjects(info) ?? 0;
  if (info.verb === 'watch') return all;
  const limit = Number(queryValue(request.rawQuery, 'limit') ?? 0);
  const page = limit > 0 ? Math.min(all, limit) : all;
  // A selector may match only the last of all objects.
  const examined = page < all && hasSelector(request) ? all : page;
  // Reads of the store decode the objects that they return.
  return queryValue(request.rawQuery, 'resourceVersionMatch') === 'Exact' ? examined + page : examined;
}

const hasSelector = ({ rawQuery }: Query): boolean =>
  (queryValue(rawQuery, 'labelSelector') ?? '') !== '' ||
  (queryValue(rawQuery, 'fieldSelector') ?? '') !== '';

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
