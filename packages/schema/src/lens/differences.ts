import { isJsonObject, jsonEquals, setField } from '@orch/machinery/json';

/** One place where two JSON values differ. `was` and `is` are absent where the value has nothing there. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly was?: unknown;
  readonly is?: unknown;
}

/** The paths at which `is` differs from `was`: as deep down as both are objects, or lists of the same length. */
export function differences(was: unknown, is: unknown): Difference[] {
  const found: Difference[] = [];
  collect(was, is, { path: [], found });
  return found;
}

/** The state of a comparison: the path of the current values, and the differences found so far. */
interface Comparison {
  readonly path: (string | number)[];
  readonly found: Difference[];
}

/** Visits each part once and copies the path only for a difference. */
function collect(was: unknown, is: unknown, comparison: Comparison): void {
  if (was === is) return;
  const { path, found } = comparison;
  const compare = (step: string | number): void => {
    path.push(step);
    collect(own(was, step), own(is, step), comparison);
    path.pop();
  };
  if (isJsonObject(was) && isJsonObject(is)) {
    for (const name of Object.keys(was)) compare(name);
    for (const name of Object.keys(is)) if (!Object.hasOwn(was, name)) compare(name);
  } else if (Array.isArray(was) && Array.isArray(is) && was.length === is.length) {
    for (let i = 0; i < was.length; i++) compare(i);
  } else if (!jsonEquals(was, is)) {
    const sides = { ...(was === undefined ? {} : { was }), ...(is === undefined ? {} : { is }) };
    found.push({ path: [...path], ...sides });
  }
}

/** Sets `is` wherever the value still equals `was`; other places are not changed. */
export function applyDifferences(value: Record<string, unknown>, list: readonly Difference[]): void {
  for (const { path, was, is } of list) {
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce<unknown>(own, value);
    if (last === undefined || !jsonEquals(own(parent, last), was)) continue;
    if (Array.isArray(parent)) {
      // Items are replaced, never added: the index is untrusted and may be of any size.
      if (typeof last === 'number' && last < parent.length && is !== undefined) parent[last] = is;
    } else if (isJsonObject(parent)) {
      if (is === undefined) delete parent[last];
      else setField(parent, String(last), is);
    }
  }
}

/** Own fields and items only: paths come from annotations, which clients may write. */
function own(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
}

/** Reads a list of differences; undefined when the value is none. */
export function readDifferences(value: unknown): readonly Difference[] | undefined {
  return Array.isArray(value) && value.every(isDifference) ? value : undefined;
}

const isDifference = (value: unknown): value is Difference =>
  isJsonObject(value) && Array.isArray(value['path']) && value['path'].every(isStep);

const isStep = (step: unknown): step is string | number =>
  typeof step === 'string' || (typeof step === 'number' && Number.isInteger(step) && step >= 0);
