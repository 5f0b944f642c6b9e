import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { asText, isJsonObject } from '@orch/machinery/json';
import { fieldPath, validateManagedFields } from '@orch/machinery/object-meta';
import { timeMs } from '@orch/machinery/time';
import { emptySet, FieldSet } from '../fields/field-set.ts';
import {
  type MalformedFields,
  readingFields,
  readingStoredFields,
  readStoredFields,
} from '../fields/fields-v1.ts';
import { conform } from '../typed/restrict.ts';
import { type ManagerId, managerKey, Owner, type RawEntry, type SetReader, type StoredSet } from './owner.ts';
import type { KindVersions } from './versions.ts';

/** Bounds on the data of a client; data written by the server itself is bounded by the object. */
const MAX_ENTRIES = 1_000;
const MAX_FIELDS = 100_000;

const root = 'metadata.managedFields';

function idOf(entry: RawEntry): ManagerId {
  return {
    manager: asText(entry['manager']),
    operation: entry['operation'] === 'Apply' ? 'Apply' : 'Update',
    apiVersion: asText(entry['apiVersion']),
    subresource: asText(entry['subresource']),
  };
}

const timeOf = (entry: RawEntry): string | undefined => asText(entry['time']) || undefined;

/** The serialised set of an entry; entries of the first releases have it under the older name (spec 2.6). */
const fieldsOfEntry = (entry: RawEntry): unknown => entry['fieldsV1'] ?? entry['fields'];

/** The set of an entry, brought in line with the schema of its version. */
const conformed = (set: FieldSet, { apiVersion }: ManagerId, versions: KindVersions): FieldSet => {
  const shapes = versions.shapes(apiVersion);
  return shapes === undefined ? set : conform(set, shapes.root);
};

const isStoredEntry = (entry: unknown): entry is RawEntry =>
  isJsonObject(entry) &&
  (entry['operation'] === 'Apply' || entry['operation'] === 'Update') &&
  asText(entry['apiVersion']) !== '';

/** Reads the set of one stored entry. */
class EntryReader implements SetReader {
  readonly #entry: RawEntry;
  readonly #id: ManagerId;
  readonly #versions: KindVersions;

  constructor(entry: RawEntry, id: ManagerId, versions: KindVersions) {
    this.#entry = entry;
    this.#id = id;
    this.#versions = versions;
  }

  read(): StoredSet {
    return this.#stored(readStoredFields(fieldsOfEntry(this.#entry)));
  }

  *reading(): Work<StoredSet> {
    const written = yield* readingStoredFields(fieldsOfEntry(this.#entry));
    yield;
    return this.#stored(written);
  }

  #stored(written: FieldSet | MalformedFields): StoredSet {
    if (!(written instanceof FieldSet)) return { set: emptySet, asWritten: false };
    const set = conformed(written, this.#id, this.#versions);
    return { set, asWritten: set === written };
  }
}

/**
 * Reads the entries of a stored object. They were validated when they were written, so an unreadable one is omitted: its
 * fields have no owner then. Sets are read on first use.
 */
export function storedOwners(raw: unknown, versions: KindVersions): readonly Owner[] {
  if (!Array.isArray(raw)) return [];
  const owners = raw.filter(isStoredEntry).map((entry) => {
    const id = idOf(entry);
    return Owner.stored(id, timeOf(entry), entry, new EntryReader(entry, id, versions));
  });
  // The last one of entries with the same key counts, in the place of the first.
  return areFewDistinct(owners) ? owners : [...new Map(owners.map((owner) => [owner.key, owner])).values()];
}

/** Number of owners up to which comparing all pairs costs less than their keys. */
const FEW_OWNERS = 12;

const areFewDistinct = (owners: readonly Owner[]): boolean =>
  owners.length <= FEW_OWNERS &&
  owners.every(({ id }, at) => owners.findIndex((owner) => owner.isOf(id)) === at);

/** Entries that a client sent, and all that is wrong with them. */
export interface SentOwners {
  readonly owners: readonly Owner[];
  readonly problems: readonly FieldError[];
}

/** Reads entries that a client sent, in pieces: any one that is malformed makes the whole list unusable. */
export function* readingSentOwners(raw: readonly unknown[], versions: KindVersions): Work<SentOwners> {
  if (raw.length > MAX_ENTRIES) {
    return { owners: [], problems: [fieldError.tooMany(root, raw.length, MAX_ENTRIES)] };
  }
  const problems = validateManagedFields(raw, root);
  const owners = new Map<string, Owner>();
  let left = MAX_FIELDS;
  for (const [i, entry] of raw.entries()) {
    if (!isJsonObject(entry)) continue;
    const path = fieldPath.index(root, i);
    problems.push(...entryProblems(entry, path));
    const set = yield* readingFields(fieldsOfEntry(entry), left);
    if (!(set instanceof FieldSet)) {
      problems.push(fieldError.invalid(fieldPath.child(path, 'fieldsV1'), set.at, set.why));
      continue;
    }
    yield;
    left -= set.size;
    const id = idOf(entry);
    const key = managerKey(id);
    if (owners.has(key)) problems.push(fieldError.duplicate(path, id));
    owners.set(key, Owner.of(id, timeOf(entry), conformed(set, id, versions)));
  }
  return { owners: problems.length === 0 ? [...owners.values()] : [], problems };
}

/** Problems of an entry that machinery's validation of metadata does not detect. */
function entryProblems(entry: RawEntry, path: string): FieldError[] {
  const problems: FieldError[] = [];
  const at = (name: string): string => fieldPath.child(path, name);
  for (const name of ['manager', 'apiVersion', 'subresource', 'fieldsType', 'time']) {
    const value = entry[name];
    if (value !== undefined && value !== null && typeof value !== 'string') {
      problems.push(fieldError.invalid(at(name), value, 'must be a string'));
    }
  }
  if (asText(entry['apiVersion']) === '') problems.push(fieldError.required(at('apiVersion')));
  if (asText(entry['fieldsType']) === '' && entry['fields'] === undefined) {
    problems.push(fieldError.required(at('fieldsType')));
  }
  const time = timeOf(entry);
  if (time !== undefined && timeMs(time) === undefined) {
    problems.push(fieldError.invalid(at('time'), time, 'must be a time such as "2006-01-02T15:04:05Z"'));
  }
  return problems;
}

/** Reports whether a list removes all ownership (spec 4.9 rule 9): it is a single empty entry. */
export function isReset(raw: unknown): boolean {
  if (!Array.isArray(raw) || raw.length !== 1) return false;
  const [entry] = raw;
  if (!isJsonObject(entry)) return false;
  return Object.values(entry).every((value) => value === '' || value === null || value === undefined);
}
