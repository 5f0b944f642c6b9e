import {
  type ApiRequest,
  isReadOnly,
  queryValue,
  type ResourceRequest,
  selectedNameOf,
  type WithInfo,
} from '@orch/request';

/** Objects that are read in one seat. */
const OBJECTS_PER_SEAT = 100;
/** Watchers that are told of a write in one seat. */
const WATCHERS_PER_SEAT = 100;
const MAX_SEATS = 10;

/** How many objects, or watchers, a request could be about at most; undefined when that is not known. */
export type CountObjects = (info: ResourceRequest) => number | undefined;

/** What the work of a request depends on. */
export interface WorkCounts {
  readonly countObjects: CountObjects;
  readonly countWatchers: CountObjects;
}

/**
 * Seats that a request takes: more for one that reads many objects, as lists do and watches that begin with everything
 * there is, and for a write that many watchers are told of. `watched` is told of those.
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
  // One object of a namespace is looked up; its name in all namespaces is looked for.
  if (info.namespace !== '' && selectedNameOf(info, request.rawQuery) !== '') return 1;
  const all = countObjects(info) ?? 0;
  const limit = isWatch ? 0 : Number(queryValue(request.rawQuery, 'limit') ?? 0);
  return limit > 0 ? Math.min(all, limit) : all;
}

function beginsWithAll({ rawQuery }: ApiRequest): boolean {
  const from = queryValue(rawQuery, 'resourceVersion') ?? '';
  return from === '' || from === '0';
}
