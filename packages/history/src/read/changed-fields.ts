import type { Work } from '@orch/machinery/concurrency';
import { type JsonSlice, jsonEquals } from '@orch/machinery/json';

/** The fields that differ between two objects. */
export interface ChangedFields {
  /** Paths such as `spec.template.spec.containers[web].image`. */
  readonly fields: readonly string[];
  /** Number of further ones. */
  readonly more: number;
}

const MAX_FIELDS = 32;
/** Members and elements of one piece: about half a millisecond of work. */
const PER_PIECE = 512;
/**
 * Each level of a value is a scan of its text. Levels that would need more scans of the whole text count as one field.
 */
const MAX_SCANS = 16;

/** Fields set by every write, or by the server as its consequence. */
const ignored: ReadonlySet<string> = new Set([
  'metadata.resourceVersion',
  'metadata.managedFields',
  'metadata.generation',
]);

/** The fields in which two states of an object differ. Throws a JsonSyntaxError for invalid JSON. */
export function* changedFields(before: JsonSlice, after: JsonSlice): Work<ChangedFields> {
  const found = new Comparison(MAX_FIELDS, MAX_SCANS * (before.length + after.length));
  yield* compare(found, before, after, '');
  return { fields: found.paths, more: found.count - found.paths.length };
}

/** Fields that identify elements of lists, if all elements have the field and differ in it. */
const elementKeys = ['name', 'type', 'uid', 'key', 'ip'] as const;

/** Reports whether two values are equal, regardless of the order of their fields. */
export function* isSameValue(a: JsonSlice | undefined, b: JsonSlice | undefined): Work<boolean> {
  if (a === undefined || b === undefined) return a === b;
  const found = new Comparison(0, MAX_SCANS * (a.length + b.length));
  for (const _ of compare(found, a, b, 'value')) {
    if (found.count > 0) return false;
    yield;
  }
  return found.count === 0;
}

/** The paths of differences: the first ones and the number of all, and the amount of work done. */
class Comparison {
  readonly #most: number;
  readonly paths: string[] = [];
  count = 0;
  #steps = 0;
  #charactersLeft: number;

  constructor(most: number, characters: number) {
    this.#most = most;
    this.#charactersLeft = characters;
  }

  differAt(path: string): void {
    this.count++;
    if (this.paths.length < this.#most) this.paths.push(path);
  }

  /** Reports whether the texts of two values may be scanned again. */
  mayScan(a: JsonSlice, b: JsonSlice): boolean {
    this.#charactersLeft -= a.length + b.length;
    return this.#charactersLeft >= 0;
  }

  /** Counts a member or element; true when other requests should have their turn. */
  isTurn(): boolean {
    return ++this.#steps % PER_PIECE === 0;
  }
}

/** Yields where other requests should have their turn. */
type Steps = Work<void>;

function* compare(
  found: Comparison,
  a: JsonSlice | undefined,
  b: JsonSlice | undefined,
  path: string,
): Steps {
  if (ignored.has(path)) return;
  if (a === undefined || b === undefined) found.differAt(path);
  else if (a.length === b.length && a.text === b.text) return;
  else if (a.isObject && b.isObject && found.mayScan(a, b))
    yield* compareNamed(found, a.members(), b.members(), path);
  else if (a.isList && b.isList && found.mayScan(a, b)) yield* compareLists(found, a, b, path);
  else if (a.isPlain !== b.isPlain || !a.isPlain || !jsonEquals(a.parse(), b.parse())) found.differAt(path);
}

/** Members of an object, or elements of a list identified by a key or their position. */
type Named = Iterable<readonly [name: string, value: JsonSlice]>;

function* compareNamed(found: Comparison, a: Named, b: Named, path: string): Steps {
  const others = b[Symbol.iterator]();
  const next = (): readonly [string, JsonSlice] | undefined => others.next().value ?? undefined;
  /** Members of `b` that were skipped. Usually the order is the same, and there are none. */
  const passed = new Map<string, JsonSlice>();
  for (const [name, value] of a) {
    if (found.isTurn()) yield;
    let other = passed.get(name);
    if (other !== undefined) passed.delete(name);
    for (let one = other === undefined ? next() : undefined; one !== undefined; one = next()) {
      if (found.isTurn()) yield;
      if (one[0] === name) {
        other = one[1];
        break;
      }
      passed.set(...one);
    }
    yield* compare(found, value, other, pathTo(path, name));
  }
  for (const name of passed.keys()) yield* compare(found, undefined, undefined, pathTo(path, name));
  for (let one = next(); one !== undefined; one = next()) {
    if (found.isTurn()) yield;
    yield* compare(found, undefined, one[1], pathTo(path, one[0]));
  }
}

function* compareLists(found: Comparison, a: JsonSlice, b: JsonSlice, path: string): Steps {
  const x = yield* elementsOf(found, a);
  const y = yield* elementsOf(found, b);
  const key = elementKeys.find((name) => x.byKey.has(name) && y.byKey.has(name));
  const areObjects = x.all.length === y.all.length && x.areObjects && y.areObjects;
  if (key !== undefined) yield* compareNamed(found, x.byKey.get(key) ?? [], y.byKey.get(key) ?? [], path);
  else if (areObjects) yield* compareNamed(found, byPosition(x.all), byPosition(y.all), path);
  else if (x.all.length !== y.all.length || !jsonEquals(a.parse(), b.parse())) found.differAt(path);
}

interface ListElements {
  readonly all: readonly JsonSlice[];
  readonly areObjects: boolean;
  /** The elements by each key that identifies all of them. */
  readonly byKey: ReadonlyMap<string, ReadonlyMap<string, JsonSlice>>;
}

function* elementsOf(found: Comparison, list: JsonSlice): Work<ListElements> {
  const all: JsonSlice[] = [];
  const byKey = new Map<string, Map<string, JsonSlice>>(elementKeys.map((key) => [key, new Map()]));
  for (const element of list.elements()) {
    if (found.isTurn()) yield;
    all.push(element);
    for (const [key, elements] of byKey) {
      const value = element.member(key)?.parse();
      const isNew = typeof value === 'string' && !elements.has(`[${value}]`);
      if (isNew) elements.set(`[${value}]`, element);
      else byKey.delete(key);
    }
  }
  return {
    all,
    areObjects: all.every(({ isObject }) => isObject),
    byKey: all.length === 0 ? new Map() : byKey,
  };
}

function* byPosition(elements: readonly JsonSlice[]): Generator<readonly [string, JsonSlice]> {
  for (const [index, element] of elements.entries()) yield [`[${index}]`, element];
}

function pathTo(path: string, name: string): string {
  if (name.startsWith('[')) return path + name;
  if (path === '') return name;
  return /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}[${name}]`;
}
