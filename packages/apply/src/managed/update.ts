import type { FieldError } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { jsonEqualsInPieces, type MutableJsonObject } from '@orch/machinery/json';
import { emptySet, type FieldSet } from '../fields/field-set.ts';
import { equalSets, intersection, recursiveDifference, union } from '../fields/set-algebra.ts';
import { type Change, fieldsSet } from '../typed/change.ts';
import { findingExisting } from '../typed/restrict.ts';
import { Changes } from './changes.ts';
import { isReset, readingSentOwners, storedOwners } from './decode.ts';
import {
  capUpdates,
  entriesDiffer,
  entriesInPieces,
  entriesOf,
  managedFieldsOf,
  sameEntries,
  withManagedFields,
} from './encode.ts';
import { type ManagerId, Owner, type RawEntry } from './owner.ts';
import { readingTouched, resolveOwnership } from './resolve-ownership.ts';
import type { WriteInput } from './write-input.ts';

export interface UpdateInput extends WriteInput {
  /** The stored object; undefined when it is created. */
  readonly live: MutableJsonObject | undefined;
  /** The object to store: decoded, defaulted and prepared. Its `managedFields` are as the client sent them. */
  readonly next: MutableJsonObject;
}

/** The owners of fields after a write. */
export interface UpdatedOwners {
  readonly managedFields: readonly RawEntry[];
  /** The reason why the `managedFields` of the client were not used; empty when they were, or when there were none. */
  readonly ignored: readonly FieldError[];
}

export interface UpdateResult extends UpdatedOwners {
  /** `next` with the owners of its fields. */
  readonly object: MutableJsonObject;
  /** False when all owners and times are as before. */
  readonly ownersChanged: boolean;
}

/** The owners that a write starts from. */
interface Start {
  readonly owners: readonly Owner[];
  /** Whether the owners come from the stored object, unparsed. */
  readonly asStored: boolean;
  readonly ignored: readonly FieldError[];
}

/** Claims of fields that do not exist are dropped, unless the same manager had them before: forged sets cannot hide any. */
function* withoutInventions(
  sent: readonly Owner[],
  stored: readonly Owner[],
  input: UpdateInput,
): Work<readonly Owner[]> {
  const before = new Map(stored.map((owner) => [owner.key, owner]));
  const kept: Owner[] = [];
  for (const owner of sent) {
    const known = before.get(owner.key);
    if (known !== undefined) yield* known.reading();
    const isKnown = known !== undefined && equalSets(known.set, owner.set);
    yield;
    const left = isKnown ? owner : yield* onlyReal(owner, known, input);
    if (left !== undefined) kept.push(left);
  }
  return kept;
}

function* onlyReal(owner: Owner, known: Owner | undefined, input: UpdateInput): Work<Owner | undefined> {
  const { versions, apiVersion, live, next } = input;
  const shapes = versions.shapes(owner.id.apiVersion);
  if (shapes === undefined) return undefined;
  let real: FieldSet = known?.set ?? emptySet;
  for (const object of [live, next]) {
    const converted =
      object === undefined || shapes === versions.shapes(apiVersion)
        ? object
        : versions.convert(object, apiVersion, owner.id.apiVersion);
    if (converted === undefined) continue;
    const existing = yield* findingExisting(owner.set, converted, shapes.root);
    yield;
    real = union(real, existing);
    yield;
  }
  // The present set may contain more fields than the client left to the owner.
  return owner.withSet(intersection(owner.set, real));
}

/** Owners before a write: those of the stored object, unless the client sent others (spec 4.9 rule 9), which are read in pieces. */
function startOf(input: UpdateInput): Start | Work<Start> {
  const stored = managedFieldsOf(input.live);
  const sent = managedFieldsOf(input.next);
  const asStored = (ignored: readonly FieldError[] = []): Start => ({
    owners: storedOwners(stored, input.versions),
    asStored: true,
    ignored,
  });
  // A subresource cannot change who owns the object.
  if ((input.subresource ?? '') !== '') return asStored();
  if (isReset(sent)) return { owners: [], asStored: false, ignored: [] };
  if (!Array.isArray(sent) || sent.length === 0 || sameEntries(sent, stored)) return asStored();
  return sentStart(sent, asStored, input);
}

function* sentStart(
  sent: readonly unknown[],
  asStored: (ignored?: readonly FieldError[]) => Start,
  input: UpdateInput,
): Work<Start> {
  const { owners, problems } = yield* readingSentOwners(sent, input.versions);
  if (problems.length > 0) return asStored(problems);
  const kept = yield* withoutInventions(owners, asStored().owners, input);
  return { owners: kept, asStored: false, ignored: [] };
}

/** The fields that the writer owns after a write: those it owned and those it set. Undefined when there are none. */
function ownerAfter(
  id: ManagerId,
  before: Owner | undefined,
  change: Change,
  now: string,
): Owner | undefined {
  const set = fieldsSet(change);
  // Most writes change fields that the writer has set before: the set is unchanged.
  if (before !== undefined && !set.isEmpty && !before.mayOwn(change.removed) && before.ownsAll(set)) {
    return before.at(now);
  }
  const had = before?.set ?? emptySet;
  const kept = change.removed === undefined ? had : recursiveDifference(had, change.removed);
  const owned = kept.isEmpty ? set : union(kept, set);
  if (owned.isEmpty) return undefined;
  if (before !== undefined && set.isEmpty && owned === had) return before;
  return Owner.of(id, now, owned);
}

/**
 * The owners of fields after a write other than an apply: a create, an update or a patch (spec 3.2, 4.9). The writer
 * owns the fields that it changes, without conflicts. Unchanged parts are not written again. /
 */
export function updateOwnership(input: UpdateInput): UpdateResult {
  const { live, next } = input;
  const updated = atOnce(updatingOwnership(input));
  return {
    object: withManagedFields(next, updated.managedFields),
    ownersChanged: entriesDiffer(updated.managedFields, managedFieldsOf(live)),
    ...updated,
  };
}

/** The owners of `updateOwnership`, in pieces if the object is large: each piece costs more than the work on a small one. */
export function* updatingOwnership(written: UpdateInput): Work<UpdatedOwners> {
  const { versions, apiVersion, manager, subresource = '', live, now, isLarge = false } = written;
  const input = isLarge ? yield* withStoredEntries(written) : written;
  const id: ManagerId = { manager, operation: 'Update', apiVersion, subresource };
  const begun = startOf(input);
  const start = 'next' in begun ? yield* begun : begun;
  if (isLarge) yield;
  const transition = {
    versions,
    apiVersion,
    before: live,
    after: input.next,
    resetFields: input.resetFields,
  };
  const changes = isLarge ? yield* Changes.inPieces(transition) : new Changes(transition);
  const change = changes.here;
  if (isLarge) yield;
  const { ignored } = start;
  if (change === undefined && start.asStored) return { managedFields: storedEntries(live), ignored };
  if (isLarge && change !== undefined) yield* readingSets(start.owners, id, { change, changes });
  const owners =
    change === undefined ? start.owners : ownersAfter(start.owners, id, { change, changes, now });
  if (isLarge) yield;
  const capped = capUpdates(owners);
  return { managedFields: isLarge ? yield* entriesInPieces(capped) : entriesOf(capped), ignored };
}

/** Prepares `ownersAfter`: reads the large sets that it needs, in pieces. */
function* readingSets(
  owners: readonly Owner[],
  id: ManagerId,
  { change, changes }: { readonly change: Change; readonly changes: Changes },
): Work<void> {
  const self = owners.find((owner) => owner.isOf(id));
  if (self !== undefined) yield* self.gaining(fieldsSet(change), change.removed);
  yield* readingTouched(owners, id, changes);
}

/** The input in which managed fields that equal the stored ones are the stored ones. In pieces. */
function* withStoredEntries(input: UpdateInput): Work<UpdateInput> {
  const stored = managedFieldsOf(input.live);
  const sent = managedFieldsOf(input.next);
  if (!Array.isArray(stored) || sent === stored || !(yield* jsonEqualsInPieces(sent, stored))) return input;
  return { ...input, next: withManagedFields(input.next, stored) };
}

function storedEntries(live: MutableJsonObject | undefined): readonly RawEntry[] {
  const stored = managedFieldsOf(live);
  return Array.isArray(stored) ? stored : [];
}

function ownersAfter(
  owners: readonly Owner[],
  id: ManagerId,
  { change, changes, now }: { readonly change: Change; readonly changes: Changes; readonly now: string },
): readonly Owner[] {
  const { others } = resolveOwnership(owners, id, changes);
  const before = owners.find((owner) => owner.isOf(id));
  const self = ownerAfter(id, before, change, now);
  return self === undefined ? others : [...others, self];
}
