import {
  type ApiRequest,
  isReadOnly,
  queryValue,
  type ResourceRequest,
  selectedNameOf,
  type WithInfo,
} from '@orch/request';

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
  { info, request }: WithInfo,
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

function objectsRead(info: ResourceRequest, request: ApiRequest, { countObjects }: WorkCounts): number {
  const isWatch = info.verb === 'watch';
  if (info.name !== '' || (!isWatch && info.verb !== 'list')) return 1;
  if (isWatch && !beginsWithAll(request)) return 1;
  // A name within a namespace is a lookup; in all namespaces it is a scan.
  if (info.namespace !== '' && selectedNameOf(info, request.rawQuery) !== '') return 1;
  const all = countObjects(info) ?? 0;
  const limit = isWatch ? 0 : Number(queryValue(request.rawQuery, 'limit') ?? 0);
  return limit > 0 ? Math.min(all, limit) : all;
}

function beginsWithAll({ rawQuery }: ApiRequest): boolean {
  const from = queryValue(rawQuery, 'resourceVersion') ?? '';
  return from === '' || from === '0';
}
