import { atOnce, type Work } from '@orch/machinery/concurrency';
import type { MutableJsonObject } from '@orch/machinery/json';
import { emptySet, type FieldSet } from '../fields/field-set.ts';
import { difference, recursiveDifference } from '../fields/set-algebra.ts';
import type { ObjectShapes } from '../shape/shapes.ts';
import { fieldsSet } from '../typed/change.ts';
import { fieldsOf, fieldsOfInPieces } from '../typed/collect.ts';
import { compare } from '../typed/compare.ts';
import { mergeConfig } from '../typed/merge.ts';
import { isAppliedAlready } from '../typed/unchanged.ts';
import { readingConfig, refuseHead } from './applied-config.ts';
import type { Applied, ApplyInput, ApplyResult } from './apply-result.ts';
import { Changes } from './changes.ts';
import { conflictsOf } from './conflicts.ts';
import { storedOwners } from './decode.ts';
import { entriesInPieces, entriesOf, managedFieldsOf, withManagedFields } from './encode.ts';
import { fieldsOfLastApplied, withLastApplied } from './last-applied.ts';
import { type ManagerId, Owner } from './owner.ts';
import { pruneDropped } from './prune-versions.ts';
import { readingTouched, resolveOwnership, type Taken } from './resolve-ownership.ts';

/** The manager of everything that an object had before its fields were tracked. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** One apply on its way. */
interface Step {
  readonly input: ApplyInput;
  readonly shapes: ObjectShapes;
  readonly id: ManagerId;
  readonly config: MutableJsonObject;
  /** The fields that the manager will own. */
  readonly set: FieldSet;
}

/** Owners before the apply: an object without any has had a life before its fields were tracked. */
function ownersBefore({ input, shapes }: Step): readonly Owner[] {
  const { live, versions, apiVersion, now } = input;
  if (live === undefined) return [];
  const owners = storedOwners(managedFieldsOf(live), versions);
  if (owners.length > 0) return owners;
  const change = compare(shapes.empty(), live, shapes.root);
  const set = change === undefined ? emptySet : fieldsSet(change);
  if (set.isEmpty) return [];
  return [
    Owner.of({ manager: BEFORE_FIRST_APPLY, operation: 'Update', apiVersion, subresource: '' }, now, set),
  ];
}

/** The live object with the configuration merged in and the fields that the manager dropped removed. */
function mergedObject({ input, shapes, id, config, set }: Step, owners: readonly Owner[]): MutableJsonObject {
  const { live, versions, apiVersion, resetFields = emptySet } = input;
  if (live === undefined) return config;
  const merged = mergeConfig(live, config, shapes.root) as MutableJsonObject;
  const self = owners.find((owner) => owner.isOf(id));
  if (self === undefined) return merged;
  if (versions.shapes(self.id.apiVersion) === shapes && self.owns(set)) return merged;
  const others = owners.filter((owner) => owner !== self);
  return pruneDropped(merged, {
    versions,
    apiVersion,
    last: { set: recursiveDifference(self.set, resetFields), apiVersion: self.id.apiVersion },
    owners: [...others, Owner.of(id, undefined, set)],
  });
}

/** The part of what would be taken that is a conflict: fields that client-side apply had set are the tool's own. */
function conflictingOf({ input, shapes }: Step, taken: readonly Taken[]): readonly Taken[] {
  const { live, lastAppliedAnnotation, apiVersion } = input;
  if (taken.length === 0 || live === undefined || lastAppliedAnnotation === undefined) return taken;
  const allowed = fieldsOfLastApplied(live, lastAppliedAnnotation, { apiVersion, shapes });
  return taken
    .map(({ owner, set }) => ({ owner, set: difference(set, allowed) }))
    .filter(({ set }) => !set.isEmpty);
}

/** The entry of the manager afterwards; its time moves when its fields or their values do. */
function ownerAfter({ input, id, set }: Step, owners: readonly Owner[], changed: boolean): Owner | undefined {
  const before = owners.find((owner) => owner.isOf(id));
  if (set.isEmpty) return undefined;
  if (before === undefined || before.id.apiVersion !== id.apiVersion || !before.owns(set)) {
    return Owner.of(id, input.now, set);
  }
  return changed ? before.at(input.now) : before;
}

/** The outcome of an apply. */
interface Outcome {
  readonly merged: MutableJsonObject;
  readonly before: readonly Owner[];
  /** All other owners after the write. */
  readonly others: readonly Owner[];
  /** Whether a field has another value now. */
  readonly changed: boolean;
}

/** Reports whether ownership differs from the stored entries. */
function ownersDiffer(before: readonly Owner[], after: readonly Owner[], stored: unknown): boolean {
  const known = new Set(before);
  if (after.length !== before.length || after.some((owner) => !known.has(owner))) return true;
  return before.length > 0 && !Array.isArray(stored);
}

function* finish(step: Step, { merged, before, others, changed }: Outcome): Work<Applied> {
  const { live, config, lastAppliedAnnotation: annotation } = step.input;
  const self = ownerAfter(step, before, changed);
  const after = self === undefined ? others : [...others, self];
  // A configuration that only lists items in another order changes nothing.
  const base = changed || live === undefined ? merged : live;
  const object =
    annotation === undefined ? base : withLastApplied(base, config as MutableJsonObject, annotation);
  const stored = managedFieldsOf(live);
  if (object === live && !ownersDiffer(before, after, stored)) {
    const managedFields = Array.isArray(stored) ? stored : [];
    return { kind: 'applied', object: live, managedFields, changed: false };
  }
  const managedFields = step.input.isLarge === true ? yield* entriesInPieces(after) : entriesOf(after);
  return {
    kind: 'applied',
    object: withManagedFields(object, managedFields),
    managedFields,
    changed: true,
  };
}

/**
 * An apply of values that the object has and the manager owns already: the most frequent case, detected in one
 * traversal.
 */
function appliedAlready(input: ApplyInput, id: ManagerId, shapes: ObjectShapes): Applied | undefined {
  const { live, config, lastAppliedAnnotation, versions } = input;
  const entries = managedFieldsOf(live);
  if (live === undefined || lastAppliedAnnotation !== undefined || !Array.isArray(entries)) return undefined;
  const self = storedOwners(entries, versions).find((owner) => owner.isOf(id));
  if (self?.id.apiVersion !== id.apiVersion) return undefined;
  return isAppliedAlready(config, live, shapes.root, self.storedFields)
    ? { kind: 'applied', object: live, managedFields: entries, changed: false }
    : undefined;
}

/**
 * Server-side apply (spec 3.2, 4.9): creates the object from a configuration or merges it into the stored one, and
 * returns the owners of fields after that. Pure. Fails with the list of conflicts unless `force`.
 */
export const applyConfig = (input: ApplyInput): ApplyResult => atOnce(applyingConfig(input));

/** As `applyConfig`, in pieces if the objects are large: each piece costs more than the work on small ones. */
export function* applyingConfig(input: ApplyInput): Work<ApplyResult> {
  const { versions, apiVersion, manager, subresource = '', resetFields = emptySet, isLarge = false } = input;
  const shapes = versions.shapes(apiVersion);
  if (shapes === undefined) throw new TypeError(`${apiVersion} is not a version of the kind`);
  const refused = refuseHead(input);
  if (refused !== undefined) return refused;
  const id: ManagerId = { manager, operation: 'Apply', apiVersion, subresource };
  const same = appliedAlready(input, id, shapes);
  if (same !== undefined) return same;
  if (isLarge) yield;
  const read = yield* readingConfig(input, shapes);
  if ('kind' in read) return read;
  if (isLarge) yield;
  const owned = isLarge
    ? yield* fieldsOfInPieces(read.config, shapes.root)
    : fieldsOf(read.config, shapes.root);
  const set = recursiveDifference(owned, resetFields);
  if (isLarge) yield;
  return yield* applied({ input, shapes, id, config: read.config, set });
}

function* applied(step: Step): Work<ApplyResult> {
  const { versions, apiVersion, live, resetFields, force, isLarge = false } = step.input;
  const before = ownersBefore(step);
  if (isLarge) yield;
  const self = before.find((owner) => owner.isOf(step.id));
  if (isLarge && self !== undefined) yield* self.comparing(step.set);
  const merged = mergedObject(step, before);
  if (isLarge) yield;
  const transition = { versions, apiVersion, before: live, after: merged, resetFields };
  const changes = isLarge ? yield* Changes.inPieces(transition) : new Changes(transition);
  if (isLarge) yield* readingTouched(before, step.id, changes);
  const { others, taken } = resolveOwnership(before, step.id, changes);
  if (isLarge) yield;
  const conflicting = force ? [] : conflictingOf(step, taken);
  if (conflicting.length > 0) return { kind: 'conflict', conflicts: conflictsOf(conflicting) };
  const changed = changes.here !== undefined || live === undefined;
  if (isLarge) yield;
  return yield* finish(step, { merged, before, others, changed });
}
