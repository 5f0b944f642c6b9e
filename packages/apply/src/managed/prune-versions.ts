import type { MutableJsonObject } from '@orch/machinery/json';
import type { FieldSet } from '../fields/field-set.ts';
import { containsAll, union } from '../fields/set-algebra.ts';
import { restoreDangling } from '../typed/dangling.ts';
import { prune } from '../typed/prune.ts';
import { restoreOwned } from '../typed/restore.ts';
import type { Owner } from './owner.ts';
import type { KindVersions } from './versions.ts';

/** The fields that an applier dropped, and the managers that may keep them. */
export interface Dropping {
  readonly versions: KindVersions;
  /** Version of the object. */
  readonly apiVersion: string;
  /** The applier's previous fields, in the version in which it applied them. */
  readonly last: { readonly set: FieldSet; readonly apiVersion: string };
  /** All other owners, and the applier with the fields that it owns now. */
  readonly owners: readonly Owner[];
}

/** Sets of owners by the shape that they refer to; versions with the same shape are one. */
function ownedByVersion({ versions, owners, apiVersion, last }: Dropping): Map<string, FieldSet> {
  const names = new Map<unknown, string>([[versions.shapes(apiVersion), apiVersion]]);
  if (!names.has(versions.shapes(last.apiVersion)))
    names.set(versions.shapes(last.apiVersion), last.apiVersion);
  const owned = new Map<string, FieldSet>();
  for (const { id, set } of owners) {
    const shapes = versions.shapes(id.apiVersion);
    if (shapes === undefined) continue;
    const name = names.get(shapes) ?? id.apiVersion;
    names.set(shapes, name);
    const before = owned.get(name);
    owned.set(name, before === undefined ? set : union(before, set));
  }
  return owned;
}

/**
 * Removes fields that the applier owned before and no longer applies, unless it has another owner (spec 3.2, 4.9
 * rule 6). Pure; returns `merged` itself when nothing is removed.
 */
export function pruneDropped(merged: MutableJsonObject, dropping: Dropping): MutableJsonObject {
  const { versions, apiVersion, last } = dropping;
  const here = versions.shapes(apiVersion);
  const there = versions.shapes(last.apiVersion);
  // A set in a version that is no longer served cannot be interpreted.
  if (there === undefined || here === undefined) return merged;
  const owned = ownedByVersion(dropping);
  const same = there === here;
  const lastVersion = same ? apiVersion : last.apiVersion;
  const kept = owned.get(lastVersion);
  if (kept !== undefined && containsAll(kept, last.set)) return merged;
  const whole = same ? merged : versions.convert(merged, apiVersion, lastVersion);
  if (whole === undefined) return merged;
  const pruned = prune(whole, there.root, last.set, kept) as MutableJsonObject;
  if (pruned === whole) return merged;
  owned.delete(lastVersion);
  let left: MutableJsonObject = pruned;
  for (const [version, set] of owned) left = restoreIn(version, { whole, left, set, lastVersion, versions });
  if (left !== pruned)
    left = restoreDangling({ whole, left, shape: there.root, last: last.set, kept }) as MutableJsonObject;
  if (same || left === whole) return same ? left : merged;
  return versions.convert(left, lastVersion, apiVersion) ?? merged;
}

/** Restores fields that owners in one other version own, which only the object in that version shows. */
function restoreIn(
  version: string,
  at: {
    readonly whole: MutableJsonObject;
    readonly left: MutableJsonObject;
    readonly set: FieldSet;
    readonly lastVersion: string;
    readonly versions: KindVersions;
  },
): MutableJsonObject {
  const { whole, left, set, lastVersion, versions } = at;
  const shapes = versions.shapes(version);
  const wholeThere = versions.convert(whole, lastVersion, version);
  const leftThere = versions.convert(left, lastVersion, version);
  if (shapes === undefined || wholeThere === undefined || leftThere === undefined) return left;
  const restored = restoreOwned({ whole: wholeThere, left: leftThere, shape: shapes.root, owned: set });
  return versions.convert(restored as MutableJsonObject, version, lastVersion) ?? left;
}
