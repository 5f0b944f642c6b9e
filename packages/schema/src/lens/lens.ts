import type { Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { isJsonObject, type MutableJsonObject } from '@orch/machinery/json';

/** Input of a lens other than the struct that it changes. */
export interface LensScope {
  readonly names: Names;
  /** The whole object: annotations carry what one of two versions has no field for. */
  readonly root: MutableJsonObject;
}

/**
 * Joins two versions of one struct: an older version and the hub, the one version of a kind on which the server works.
 * Both directions change the value in place and share no data with other values. Data for which the
 * other version has no field is kept in an annotation, so that conversion loses nothing (spec 9.3, rule 2): `fromHub` after `toHub`, and the reverse, return an equal value.
 */
export interface Lens {
  /** Fields that one version does not declare are lost: of versions of custom resources without a conversion. */
  readonly losesFields?: true;
  toHub(value: MutableJsonObject, scope: LensScope): void;
  fromHub(value: MutableJsonObject, scope: LensScope): void;
  /** Both directions in pieces; absent where the lens is only one of them. */
  readonly inPieces?: Readonly<Record<LensDirection, LensInPieces>>;
}

export type LensDirection = 'toHub' | 'fromHub';
type LensInPieces = (value: MutableJsonObject, scope: LensScope) => Work<void>;

/** Several lenses, in this order to the hub and in the reverse order back. */
export const chain = (...lenses: readonly Lens[]): Lens => ({
  toHub(value, scope) {
    for (const lens of lenses) lens.toHub(value, scope);
  },
  fromHub(value, scope) {
    for (const lens of lenses.toReversed()) lens.fromHub(value, scope);
  },
});

/**
 * Applies a lens inside: `path` names fields, and `[]` all items of a list (`spec.rules[].http.paths[]`). Where the path
 * leads nowhere nothing happens.
 */
export function within(path: string, lens: Lens): Lens {
  const steps = path.split('.').flatMap((name) => (name.endsWith('[]') ? [name.slice(0, -2), '[]'] : [name]));
  return {
    toHub: (value, scope) => visit(value, steps, (found) => lens.toHub(found, scope)),
    fromHub: (value, scope) => visit(value, steps, (found) => lens.fromHub(found, scope)),
  };
}

function visit(
  value: unknown,
  [step, ...rest]: readonly string[],
  act: (found: MutableJsonObject) => void,
): void {
  if (step === undefined) {
    if (isJsonObject(value)) act(value);
  } else if (step === '[]') {
    if (Array.isArray(value)) for (const item of value) visit(item, rest, act);
  } else if (isJsonObject(value)) {
    visit(value[step], rest, act);
  }
}

/**
 * A field has another place in the hub. Both are dotted paths from here. Structs on the way are made, and, when left
 * empty by a field that was moved out, taken away: lenses come before the codec, which writes those that are always there.
 */
export const move = (older: string, hub: string): Lens => ({
  toHub: (value) => transfer(value, older.split('.'), hub.split('.')),
  fromHub: (value) => transfer(value, hub.split('.'), older.split('.')),
});

function transfer(value: MutableJsonObject, from: readonly string[], to: readonly string[]): void {
  const taken = take(value, from);
  if (taken !== undefined) put(value, to, taken);
}

/** Removes and returns the value at a path; undefined when there is none. */
export function take(value: MutableJsonObject, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return undefined;
  const found = value[name];
  if (rest.length === 0) {
    delete value[name];
    return found;
  }
  if (!isJsonObject(found)) return undefined;
  const taken = take(found, rest);
  if (taken !== undefined && Object.keys(found).length === 0) delete value[name];
  return taken;
}

/** Sets the value at a path, creating structs on the way. */
export function put(value: MutableJsonObject, [name, ...rest]: readonly string[], item: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    value[name] = item;
    return;
  }
  const next = value[name];
  const inner = isJsonObject(next) ? next : {};
  value[name] = inner;
  put(inner, rest, item);
}

/** Converts differing values of a field: both functions receive the value, and a result of `undefined` removes it. */
export const mapField = (
  name: string,
  between: {
    toHub(older: unknown, scope: LensScope): unknown;
    fromHub(hub: unknown, scope: LensScope): unknown;
  },
): Lens => ({
  toHub: (value, scope) => replace(value, name, (found) => between.toHub(found, scope)),
  fromHub: (value, scope) => replace(value, name, (found) => between.fromHub(found, scope)),
});

function replace(value: MutableJsonObject, name: string, by: (found: unknown) => unknown): void {
  if (!(name in value)) return;
  const next = by(value[name]);
  if (next === undefined) delete value[name];
  else value[name] = next;
}
