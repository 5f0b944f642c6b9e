import { Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts, isJsonObject, MAX_JSON_DEPTH, noteWidth } from '@orch/machinery/json';
import { type Element, readElement } from './element.ts';
import { sortedElements, sortingElements } from './element-order.ts';
import { emptySet, FieldSet, leaf, nodeOf } from './field-set.ts';
import { union } from './set-algebra.ts';

/** The reason why a serialised set could not be read: `at` is the step, as written. */
export interface MalformedFields {
  readonly at: string;
  readonly why: string;
}

/** Thrown and caught in this file only. */
class Malformed extends Error {
  readonly at: string;

  constructor(at: string, why: string) {
    super(why);
    this.at = at;
  }
}

type Raw = Readonly<Record<string, unknown>>;

const hasNoFields = (raw: Raw): boolean => {
  for (const _name in raw) return false;
  return true;
};

/** How a leaf is written: large sets have thousands of them. */
const noFields: Raw = Object.freeze({});

/** One reading of a set. */
interface Reading {
  /** Steps that are still allowed. */
  left: number;
  /** Written by us, so that parts that stay as they are can be stored again as they are. */
  readonly ours: boolean;
}

/** One node of a set while its steps are read one by one. */
class NodeReading {
  readonly #raw: Raw;
  readonly #reading: Reading;
  readonly #children = new Map<Element, FieldSet>();
  #self = false;
  #asWritten: boolean;

  constructor(raw: Raw, reading: Reading) {
    this.#raw = raw;
    this.#reading = reading;
    this.#asWritten = reading.ours;
  }

  /** The step of this text; undefined when nothing below it is read. */
  step(text: string): Element | undefined {
    if (text === '.') {
      this.#self = true;
      return undefined;
    }
    if (--this.#reading.left < 0) throw new Malformed(text, 'the set has too many fields');
    const element = readElement(text);
    if (element === null) throw new Malformed(text, 'is not a step of a field path');
    if (element !== text) this.#asWritten = false;
    return element;
  }

  add(element: Element, child: FieldSet | undefined): void {
    if (child !== leaf && child?.written === undefined) this.#asWritten = false;
    if (child === undefined) return;
    const before = this.#children.get(element);
    this.#children.set(element, before === undefined ? child : union(before, child));
  }

  node(): FieldSet | undefined {
    return this.#children.size > 0 && this.#asWritten
      ? new FieldSet(this.#self, this.#children, this.#raw)
      : nodeOf(this.#self, this.#children);
  }
}

/** The fields below a step. */
function fieldsBelow(raw: unknown, text: string, depth: number): Raw {
  if (!isJsonObject(raw)) throw new Malformed(text, 'must be an object');
  if (depth > MAX_JSON_DEPTH) throw new Malformed(text, `nests deeper than ${MAX_JSON_DEPTH} levels`);
  return raw;
}

function childOf(raw: unknown, text: string, reading: Reading, depth: number): FieldSet | undefined {
  if (raw === null) return leaf;
  const fields = fieldsBelow(raw, text, depth);
  return hasNoFields(fields) ? leaf : nodeFrom(fields, reading, depth);
}

function nodeFrom(raw: Raw, reading: Reading, depth: number): FieldSet | undefined {
  const node = new NodeReading(raw, reading);
  for (const text in raw) {
    const element = node.step(text);
    if (element !== undefined) node.add(element, childOf(raw[text], text, reading, depth + 1));
  }
  return node.node();
}

/** Like `nodeFrom`, in pieces. */
function* nodeInPieces(raw: Raw, reading: Reading, depth: number): Work<FieldSet | undefined> {
  const pace = new Pace();
  const node = new NodeReading(raw, reading);
  for (const text in raw) {
    if (pace.isDue()) yield;
    const element = node.step(text);
    if (element === undefined) continue;
    const below = raw[text];
    const isLarge = hasManyParts(below);
    const child = isLarge
      ? yield* nodeInPieces(fieldsBelow(below, text, depth + 1), reading, depth + 1)
      : childOf(below, text, reading, depth + 1);
    node.add(element, child);
  }
  return node.node();
}

/** An empty object at the root is the empty set, not the path of the root. */
const rootOf = (root: FieldSet | undefined): FieldSet =>
  root === undefined || root === leaf ? emptySet : new FieldSet(false, root.children);

function malformed(cause: unknown): MalformedFields {
  if (!(cause instanceof Malformed)) throw cause;
  return { at: cause.at, why: cause.message };
}

function read(raw: unknown, reading: Reading): FieldSet | MalformedFields {
  try {
    return rootOf(childOf(raw ?? {}, '', reading, 0));
  } catch (cause) {
    return malformed(cause);
  }
}

/**
 * Parses a set in `fieldsV1` format (spec 2.6). Steps may be in any order and keys in any spelling; steps of an unknown
 * kind are omitted with everything below them. `maxFields` bounds the steps.
 */
export const readFields = (raw: unknown, maxFields: number): FieldSet | MalformedFields =>
  read(raw, { left: maxFields, ours: false });

/** Like `readFields`, in pieces. */
export const readingFields = (raw: unknown, maxFields: number): Work<FieldSet | MalformedFields> =>
  readInPieces(raw, { left: maxFields, ours: false });

/** Parses a set that `writeFields` wrote: unchanged parts of it are written unchanged. */
export const readStoredFields = (raw: unknown): FieldSet | MalformedFields =>
  read(raw, { left: Number.POSITIVE_INFINITY, ours: true });

/** Like `readStoredFields`, in pieces. */
export const readingStoredFields = (raw: unknown): Work<FieldSet | MalformedFields> =>
  readInPieces(raw, { left: Number.POSITIVE_INFINITY, ours: true });

function* readInPieces(raw: unknown, reading: Reading): Work<FieldSet | MalformedFields> {
  if (!isJsonObject(raw)) return read(raw, reading);
  try {
    return rootOf(yield* nodeInPieces(raw, reading, 0));
  } catch (cause) {
    return malformed(cause);
  }
}

/** Reports whether a level of a serialised set may spell a step in another way than we do. */
function mayBeSpelledOtherwise(raw: Raw): boolean {
  for (const text in raw) if (text !== '.' && readElement(text) !== text) return true;
  return false;
}

/**
 * Reports whether a serialised set may hold a field at, or below a field of, another set: decided without reading it. False
 * is certain.
 */
export function mayTouch(raw: unknown, set: FieldSet): boolean {
  if (!isJsonObject(raw)) return true;
  let odd: boolean | undefined;
  for (const [element, below] of set.children) {
    if (Object.hasOwn(raw, element)) {
      if (below.self || mayTouch(raw[element], below)) return true;
    } else if (!element.startsWith('f:')) {
      // Computed once per level, so that the cost is not the product of new and old items.
      odd ??= mayBeSpelledOtherwise(raw);
      if (odd) return true;
    }
  }
  return false;
}

/** Reports whether a serialised set certainly has all fields of another one: decided without reading it. */
export function certainlyContains(raw: unknown, set: FieldSet): boolean {
  if (!isJsonObject(raw)) return false;
  if (set.self && !Object.hasOwn(raw, '.') && !hasNoFields(raw)) return false;
  for (const [element, below] of set.children) {
    if (!Object.hasOwn(raw, element) || !certainlyContains(raw[element], below)) return false;
  }
  return true;
}

/** Writes a set as clients and other servers do: steps in order, `.` for a path that has others below it. */
export function writeFields(set: FieldSet): Readonly<Record<string, unknown>> {
  if (set.written !== undefined) return set.written;
  if (!set.hasChildren) return noFields;
  const raw: Record<string, unknown> = {};
  if (set.self) raw['.'] = noFields;
  let before: FieldSet | undefined;
  let same: unknown;
  // Names begin with their kind and a colon, so that none of them is special to the engine.
  for (const element of sortedElements(set.children.keys())) {
    const child = set.children.get(element) ?? leaf;
    if (child !== before) same = writeFields(child);
    before = child;
    raw[element] = same;
  }
  return raw;
}

/** Like `writeFields`, in pieces. */
export function* writeFieldsInPieces(
  set: FieldSet,
  pace: Pace = new Pace(),
): Work<ReturnType<typeof writeFields>> {
  if (set.written !== undefined || !set.hasChildren) return writeFields(set);
  const raw: Record<string, unknown> = {};
  if (set.self) raw['.'] = noFields;
  let before: FieldSet | undefined;
  let same: unknown;
  for (const element of yield* sortingElements(set.children.keys(), pace)) {
    if (pace.isDue()) yield;
    const child = set.children.get(element) ?? leaf;
    if (child !== before) same = child === leaf ? noFields : yield* writeFieldsInPieces(child, pace);
    before = child;
    raw[element] = same;
  }
  noteWidth(raw, set.children.size + 1);
  return raw;
}

/**
 * Reports whether a serialised set in canonical form is this very set: decided without reading it. False also for a set that
 * is equal but written in another way.
 */
export function isWritten(raw: unknown, set: FieldSet): boolean {
  if (!isJsonObject(raw)) return false;
  let children = 0;
  let self = false;
  for (const text in raw) {
    if (text === '.') {
      self = true;
      continue;
    }
    const child = set.children.get(text);
    if (child === undefined || !isWritten(raw[text], child)) return false;
    children++;
  }
  return children === set.children.size && (children === 0 || self === set.self);
}
