import type { Work } from '@orch/machinery/concurrency';
import { hasManyParts } from '@orch/machinery/json';
import { timeMs } from '@orch/machinery/time';
import { emptySet, type FieldSet } from '../fields/field-set.ts';
import {
  certainlyContains,
  isWritten,
  mayTouch,
  writeFields,
  writeFieldsInPieces,
} from '../fields/fields-v1.ts';
import { containsAll, equalSets } from '../fields/set-algebra.ts';
import { compareText } from '../values/text-order.ts';

export type Operation = 'Apply' | 'Update';

/** The owner of the fields of an entry. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** One entry of `metadata.managedFields` (spec 2.6) as stored. */
export type RawEntry = Readonly<Record<string, unknown>>;

/** Reports whether two entries are one: an applier keeps its entry when it changes to another version. */
export const isSameManager = (a: ManagerId, b: ManagerId): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  (a.operation === 'Apply' || a.apiVersion === b.apiVersion);

/** The same as a text, for maps and orders: equal for entries that are one. */
export const managerKey = ({ manager, operation, apiVersion, subresource }: ManagerId): string =>
  JSON.stringify([operation, manager, subresource, operation === 'Apply' ? '' : apiVersion]);

/** The set of a stored entry. */
export interface StoredSet {
  readonly set: FieldSet;
  /** False when the schema has changed since the entry was written, so that its set is read differently now. */
  readonly asWritten: boolean;
}

/** Reads the set of an entry. */
export interface SetReader {
  read(): StoredSet;
  /** Like `read`, in pieces. */
  reading(): Work<StoredSet>;
}

/** The set of an owner: in its entry, which a reader reads, or known. */
interface OwnedFields {
  readonly raw?: RawEntry;
  readonly reader?: SetReader | undefined;
  readonly found?: StoredSet | undefined;
}

/** One manager and the fields it owns. Immutable; the set of a stored entry is read on first use. */
export class Owner {
  readonly id: ManagerId;
  readonly time: string | undefined;
  readonly #raw: RawEntry | undefined;
  readonly #reader: SetReader | undefined;
  #found: StoredSet | undefined;

  private constructor(id: ManagerId, time: string | undefined, { raw, reader, found }: OwnedFields) {
    this.id = id;
    this.time = time;
    this.#raw = raw;
    this.#reader = reader;
    this.#found = found;
  }

  /** An entry as stored or sent. */
  static stored(id: ManagerId, time: string | undefined, raw: RawEntry, reader: SetReader): Owner {
    return new Owner(id, time, { raw, reader });
  }

  static of(id: ManagerId, time: string | undefined, set: FieldSet): Owner {
    return new Owner(id, time, { found: { set, asWritten: false } });
  }

  /** The key of the manager. Most writes need none, because they compare the few managers of an object. */
  get key(): string {
    return managerKey(this.id);
  }

  /** Reports whether this is the entry of a manager. */
  isOf(id: ManagerId): boolean {
    return isSameManager(this.id, id);
  }

  get set(): FieldSet {
    return this.#stored().set;
  }

  #stored(): StoredSet {
    this.#found ??= this.#reader?.read() ?? { set: emptySet, asWritten: false };
    return this.#found;
  }

  /** Reads the set of a large stored entry in pieces, for uses of it that follow. */
  *reading(): Work<void> {
    if (this.#found === undefined && this.#reader !== undefined && hasManyParts(this.storedFields))
      this.#found = yield* this.#reader.reading();
  }

  /** Prepares `owns` of this set, in pieces. */
  *comparing(set: FieldSet): Work<void> {
    if (!isWritten(this.storedFields, set)) yield* this.reading();
  }

  /** Prepares the addition of fields, and the removal of others, in pieces. */
  *gaining(set: FieldSet, removed: FieldSet | undefined): Work<void> {
    if (this.mayOwn(removed) || !certainlyContains(this.storedFields, set)) yield* this.reading();
  }

  /** Reports whether the set is this one; mostly decided without reading a stored one. */
  owns(set: FieldSet): boolean {
    if (this.#found === undefined && this.#raw !== undefined && isWritten(this.#raw['fieldsV1'], set))
      return true;
    return equalSets(this.set, set);
  }

  /** Reports whether the manager may own anything at or below these paths; mostly decided without reading a stored set. */
  mayOwn(paths: FieldSet | undefined): boolean {
    if (paths === undefined) return false;
    return this.#found !== undefined || this.#raw === undefined || mayTouch(this.#raw['fieldsV1'], paths);
  }

  /** Reports whether the manager owns all of these fields. */
  ownsAll(set: FieldSet): boolean {
    if (this.#found === undefined && this.#raw !== undefined) {
      if (certainlyContains(this.#raw['fieldsV1'], set)) return true;
    }
    return containsAll(this.set, set);
  }

  /** The same manager with the same fields at another time. */
  at(time: string): Owner {
    if (time === this.time) return this;
    if (this.#raw === undefined || this.#found?.asWritten === false) return Owner.of(this.id, time, this.set);
    return new Owner(this.id, time, {
      raw: { ...this.#raw, time },
      reader: this.#reader,
      found: this.#found,
    });
  }

  /** The serialised set as stored; undefined when there is none in this encoding. */
  get storedFields(): unknown {
    return this.#raw?.['fieldsV1'];
  }

  /** The same manager with another set; undefined when nothing is left. Itself when the set is the same. */
  withSet(set: FieldSet): Owner | undefined {
    if (set.isEmpty) return undefined;
    return set === this.set ? this : Owner.of(this.id, this.time, set);
  }

  /** The stored form. Unchanged entries are written as received. */
  get raw(): RawEntry {
    return this.#unchanged ?? this.#entryOf(writeFields(this.set));
  }

  /** Like `raw`, in pieces. */
  *rawInPieces(): Work<RawEntry> {
    return this.#unchanged ?? this.#entryOf(yield* writeFieldsInPieces(this.set));
  }

  get #unchanged(): RawEntry | undefined {
    return this.#found?.asWritten === false ? undefined : this.#raw;
  }

  #entryOf(fieldsV1: ReturnType<typeof writeFields>): RawEntry {
    const { manager, operation, apiVersion, subresource } = this.id;
    return {
      ...(manager === '' ? {} : { manager }),
      operation,
      apiVersion,
      ...(this.time === undefined ? {} : { time: this.time }),
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...(subresource === '' ? {} : { subresource }),
    };
  }
}

const seconds = ({ time }: Owner): number =>
  Math.floor((time === undefined ? 0 : (timeMs(time) ?? 0)) / 1000);

/** Oldest first; entries without time are the oldest of all. */
export const byAge = (a: Owner, b: Owner): number => seconds(a) - seconds(b) || compareText(a.key, b.key);

/** The order in which entries are stored: appliers first, then by time, then by name. */
export const inStoredOrder = (a: Owner, b: Owner): number =>
  compareText(a.id.operation, b.id.operation) ||
  seconds(a) - seconds(b) ||
  compareText(a.id.manager, b.id.manager) ||
  compareText(a.id.apiVersion, b.id.apiVersion) ||
  compareText(a.id.subresource, b.id.subresource);
