import { asText, type JsonObject } from '@orch/machinery/json';
import type { RequestRecord } from '@orch/pipeline';
import { managerOf } from '@orch/registry';
import type { ObjectPlace } from '../answer/cause.ts';
import { queryOf } from './target-query.ts';

/** The last write of a manager, by its entry of `managedFields`. */
export interface ManagerEntry {
  readonly manager: string;
  readonly subresource: string;
  readonly isApply: boolean;
  /** In epoch milliseconds, at a precision of seconds. */
  readonly time: number;
}

/** Undefined for an entry without a time. */
export function managerEntryOf(entry: JsonObject): ManagerEntry | undefined {
  const time = Date.parse(asText(entry['time']));
  if (Number.isNaN(time)) return undefined;
  return {
    manager: asText(entry['manager']),
    subresource: asText(entry['subresource']),
    isApply: asText(entry['operation']) === 'Apply',
    time,
  };
}

/** The records that may be the last write of a manager to an object: all that match its entry. */
export const managerWrites = (
  records: readonly RequestRecord[],
  place: ObjectPlace,
  entry: ManagerEntry,
): readonly RequestRecord[] =>
  records.filter((record) => hasWritten(record, place) && isAt(record, entry.time) && isBy(record, entry));

/** The name is that of the object as it was written: paths of creations have none. */
const hasWritten = (
  { info, written }: RequestRecord,
  { group, resource, namespace, name }: ObjectPlace,
): boolean =>
  info.isResource &&
  info.group === group &&
  info.resource === resource &&
  (info.isInNamespace ? info.namespace : '') === namespace &&
  written?.name === name;

const SECOND_MS = 1000;

const isAt = ({ receivedAt, durationMs }: RequestRecord, time: number): boolean =>
  receivedAt < time + SECOND_MS && receivedAt + durationMs >= time;

const updates: ReadonlySet<string> = new Set(['create', 'update', 'patch']);

function isBy({ info, target, isTargetCut, userAgent }: RequestRecord, entry: ManagerEntry): boolean {
  if (!info.isResource || info.subresource !== entry.subresource) return false;
  if (!(entry.isApply ? info.verb === 'apply' : updates.has(info.verb))) return false;
  // The cut part may name the manager.
  if (isTargetCut) return false;
  const writer = { headers: { 'user-agent': userAgent }, rawQuery: queryOf(target) };
  return managerOf(writer) === entry.manager;
}
