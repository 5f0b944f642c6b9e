import type { ApiObject } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { exactNumberText, isExactNumber, isJsonObject, rawJson, setField } from '@orch/machinery/json';
import { child, index } from '@orch/machinery/object-meta';
import type { Resource } from './types.ts';

/** The key of an object of a resource, in every version. */
export const exactKey = (
  { group, resource }: Resource,
  namespace: string | undefined,
  name: string,
): string => `${group}/${resource}/${namespace ?? ''}/${name}`;

/** A number of an object that a double cannot hold. */
interface Known {
  readonly path: string;
  /** The nearest double. */
  readonly double: number;
  readonly text: string;
}

/** Objects and numbers that are remembered; the objects that were read first are forgotten first. */
const MAX_OBJECTS = 10_000;
const MAX_NUMBERS = 100_000;

/**
 * Lets programs see plain numbers only, and loses no digits: a number that a double cannot hold is read as the nearest double, and
 * its text is remembered for its object. A body about that object has the text again where the number is unchanged, also in
 * copies of any kind. Bounded: for the last 10,000 such objects, and 100,000 such numbers.
 */
export class ExactNumbers {
  /** By the keys of objects, in the order in which they were read. */
  readonly #ofObjects = new BoundedCache<string, readonly Known[]>({
    maxEntries: MAX_OBJECTS,
    size: { max: MAX_NUMBERS, of: (numbers) => numbers.length },
  });
  /** Objects that were decoded and have no key yet. */
  readonly #unclaimed = new WeakMap<object, readonly Known[]>();
  #hasUnclaimed = false;

  /** Replaces exact numbers in a decoded answer by doubles, in place, and returns it. */
  replace(value: unknown): unknown {
    if (isExactNumber(value)) return Number(value.rawJSON);
    this.#replaceIn(value, '', undefined);
    return value;
  }

  #replaceIn(value: unknown, path: string, numbers: Known[] | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    const isRoot = numbers === undefined && isNamed(value);
    const found = isRoot ? [] : numbers;
    const base = isRoot ? '' : path;
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      const at = Array.isArray(value) ? index(base, Number(name)) : child(base, name);
      const text = isExactNumber(field) ? exactNumberText(field) : undefined;
      if (text === undefined) this.#replaceIn(field, at, found);
      else {
        const double = Number(text);
        setField(fields, name, double);
        found?.push({ path: at, double, text });
      }
    }
    if (!isRoot || found === undefined || found.length === 0) return;
    this.#unclaimed.set(value, found);
    this.#hasUnclaimed = true;
  }

  /** Remembers the numbers of a decoded object under its key. */
  claim(object: ApiObject, resource: Resource): void {
    if (!this.#hasUnclaimed) return;
    const numbers = this.#unclaimed.get(object);
    if (numbers === undefined || numbers.length > MAX_NUMBERS) return;
    const { namespace, name = '' } = object.metadata;
    const key = exactKey(resource, resource.namespaced ? namespace : undefined, name);
    this.#ofObjects.set(key, numbers);
  }

  /**
   * The body for an object, with the exact numbers. Throws a RangeError for an ambiguous number that was not in its
   * original place.
   */
  restored(body: unknown, key: string): unknown {
    const numbers = this.#ofObjects.get(key);
    return numbers === undefined ? body : restoredIn(body, '', numbers);
  }
}

/** Reports whether a value is an object of the API, rather than a list, an event or a table around such objects. */
const isNamed = (value: object): boolean =>
  isJsonObject(value) && isJsonObject(value['metadata']) && typeof value['metadata']['name'] === 'string';

function restoredIn(value: unknown, path: string, numbers: readonly Known[]): unknown {
  if (typeof value === 'number') return restoredNumber(value, path, numbers);
  if (Array.isArray(value)) return value.map((item, i) => restoredIn(item, index(path, i), numbers));
  if (!isJsonObject(value) || typeof value['toJSON'] === 'function') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, restoredIn(field, child(path, name), numbers)]),
  );
}

function restoredNumber(value: number, path: string, numbers: readonly Known[]): unknown {
  const same = numbers.filter(({ double }) => double === value);
  const [first] = same;
  if (first === undefined) return value;
  const { text } = same.find((one) => one.path === path) ?? first;
  const isSure = same.every((one) => one.text === text) || same.some((one) => one.path === path);
  if (!isSure)
    throw new RangeError(`${path}: ${value} stands for several numbers; give the exact one as a bigint`);
  return rawJson.rawJSON(text);
}
