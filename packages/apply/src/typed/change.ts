import type { Element } from '../fields/element.ts';
import { emptySet, type FieldSet, leaf, nodeOf } from '../fields/field-set.ts';
import { recursiveDifference, union } from '../fields/set-algebra.ts';

/**
 * The differences between two objects, or between two values at one place of them. The sets are relative to the place:
 * a field `self` is the place itself.
 */
export interface Change {
  /** Paths that exist now and did not before, containers included. */
  readonly added: FieldSet | undefined;
  /** Values that are others now. */
  readonly modified: FieldSet | undefined;
  /** The topmost removed paths: everything below is removed too. */
  readonly removed: FieldSet | undefined;
}

export const modifiedHere: Change = { added: undefined, modified: leaf, removed: undefined };
export const removedHere: Change = { added: undefined, modified: undefined, removed: leaf };
export const addedHere = (added: FieldSet): Change => ({ added, modified: undefined, removed: undefined });

/** Fields that the second object sets: added or modified. */
export function fieldsSet({ added, modified }: Change): FieldSet {
  if (added === undefined) return modified ?? emptySet;
  return modified === undefined ? added : union(added, modified);
}

/** The change without what lies at or below certain paths; undefined when nothing is left of it. */
export function changeExcept(change: Change | undefined, except: FieldSet): Change | undefined {
  if (change === undefined || except.isEmpty) return change;
  const rest = (set: FieldSet | undefined): FieldSet | undefined => {
    const left = set === undefined ? emptySet : recursiveDifference(set, except);
    return left.isEmpty ? undefined : left;
  };
  const left = { added: rest(change.added), modified: rest(change.modified), removed: rest(change.removed) };
  return left.added === undefined && left.modified === undefined && left.removed === undefined
    ? undefined
    : left;
}

type Parts = Map<Element, FieldSet> | undefined;

function put(parts: Parts, element: Element, part: FieldSet | undefined): Parts {
  if (part === undefined) return parts;
  const into = parts ?? new Map<Element, FieldSet>();
  const before = into.get(element);
  into.set(element, before === undefined ? part : union(before, part));
  return into;
}

const setOf = (parts: Parts): FieldSet | undefined =>
  parts === undefined ? undefined : nodeOf(false, parts);

/** Gathers the changes of the parts of a container. Costs nothing while nothing differs. */
export class ChangeBuilder {
  #added: Parts;
  #modified: Parts;
  #removed: Parts;

  add(element: Element, change: Change): void {
    this.#added = put(this.#added, element, change.added);
    this.#modified = put(this.#modified, element, change.modified);
    this.#removed = put(this.#removed, element, change.removed);
  }

  /** The change of the container; undefined when no part differs. */
  build(): Change | undefined {
    const [added, modified, removed] = [setOf(this.#added), setOf(this.#modified), setOf(this.#removed)];
    return added === undefined && modified === undefined && removed === undefined
      ? undefined
      : { added, modified, removed };
  }
}
