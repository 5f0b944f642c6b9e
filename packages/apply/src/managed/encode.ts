import type { Work } from '@orch/machinery/concurrency';
import { isJsonObject, type MutableJsonObject, setField } from '@orch/machinery/json';
import { union } from '../fields/set-algebra.ts';
import { own } from '../values/own.ts';
import { byAge, inStoredOrder, managerKey, Owner, type RawEntry } from './owner.ts';

/** `metadata` of an object; empty when it has none. */
export function metadataOf(object: MutableJsonObject | undefined): MutableJsonObject {
  const metadata = object === undefined ? undefined : own(object, 'metadata');
  return typeof metadata === 'object' && metadata !== null ? (metadata as MutableJsonObject) : {};
}

/** The unparsed `metadata.managedFields` of an object. */
export const managedFieldsOf = (object: MutableJsonObject | undefined): unknown =>
  own(metadataOf(object), 'managedFields');

/** Owners as entries, in the order in which they are stored. */
export const entriesOf = (owners: readonly Owner[]): readonly RawEntry[] =>
  [...owners].sort(inStoredOrder).map((owner) => owner.raw);

/** Like `entriesOf`, in pieces. */
export function* entriesInPieces(owners: readonly Owner[]): Work<readonly RawEntry[]> {
  const entries: RawEntry[] = [];
  for (const owner of [...owners].sort(inStoredOrder)) entries.push(yield* owner.rawInPieces());
  return entries;
}

/** Equality of serialised sets, which are made of objects only. */
function sameFields(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  let count = 0;
  for (const text in a) {
    if (!sameFields(a[text], own(b, text))) return false;
    count++;
  }
  for (const _text in b) count--;
  return count === 0;
}

function sameEntry(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => a[name] === own(b, name) || sameFields(a[name], own(b, name)));
}

/** Reports whether two lists of entries are equal, in the same order. */
export const sameEntries = (a: unknown, b: unknown): boolean =>
  a === b ||
  (Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((entry, i) => sameEntry(entry, b[i])));

/** Reports whether entries differ from what an object has; an empty list is as good as none. */
export function entriesDiffer(entries: readonly RawEntry[], raw: unknown): boolean {
  if (!Array.isArray(raw)) return entries.length > 0;
  return !sameEntries(entries, raw);
}

/** A copy of an object with these entries, or without the field when there are none. */
export function withManagedFields(
  object: MutableJsonObject,
  entries: readonly RawEntry[],
): MutableJsonObject {
  const metadata: MutableJsonObject = { ...metadataOf(object) };
  if (entries.length > 0) metadata['managedFields'] = entries;
  else delete metadata['managedFields'];
  const copy = { ...object };
  setField(copy, 'metadata', metadata);
  return copy;
}

/** Update entries that an object has at most, before old ones are merged. */
const MAX_UPDATE_ENTRIES = 10;

/** The manager to which the fields of merged entries belong. */
export const OLD_UPDATES_MANAGER = 'ancient-changes';

const bucketOf = (apiVersion: string) =>
  ({ manager: OLD_UPDATES_MANAGER, operation: 'Update', apiVersion, subresource: '' }) as const;

/**
 * Keeps the list of updaters short: beyond the limit the oldest entries of a version are merged into one, with the time
 * of the youngest. Appliers are never merged: their later removals depend on their own entry.
 */
export function capUpdates(owners: readonly Owner[], max: number = MAX_UPDATE_ENTRIES): readonly Owner[] {
  if (owners.length <= max) return owners;
  const updaters = owners.filter(({ id }) => id.operation === 'Update').sort(byAge);
  if (updaters.length <= max) return owners;
  const left = new Map(owners.map((owner) => [owner.key, owner]));
  /** The oldest entry of each version that would be merged alone: it does not gain from a new name. */
  const alone = new Map<string, Owner>();
  let count = updaters.length;
  for (const updater of updaters) {
    if (count <= max) break;
    const id = bucketOf(updater.id.apiVersion);
    const bucket = left.get(managerKey(id)) ?? alone.get(id.apiVersion);
    if (bucket === undefined) alone.set(id.apiVersion, updater);
    if (bucket === undefined || bucket.key === updater.key) continue;
    left.delete(bucket.key);
    left.delete(updater.key);
    left.set(managerKey(id), Owner.of(id, younger(bucket, updater).time, union(bucket.set, updater.set)));
    count--;
  }
  return [...left.values()];
}

const younger = (a: Owner, b: Owner): Owner => (byAge(a, b) > 0 ? a : b);
