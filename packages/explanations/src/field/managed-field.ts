import { isJsonObject, type JsonObject, jsonEquals } from '@orch/machinery/json';
import { type FieldStep, valueAt } from './field-path.ts';

/** How a field set contains a field: itself, within a value that is owned as a whole, or only parts of it. */
export type Ownership = 'owned' | 'parts' | 'none';

interface Place {
  /** The value of the object at the steps so far. */
  readonly value: unknown;
  readonly steps: readonly FieldStep[];
}

/** Reports whether a field set of `managedFields` (`fieldsV1`) contains a field of an object. */
export function ownershipOf(fields: unknown, { value, steps }: Place): Ownership {
  if (!isJsonObject(fields)) return 'none';
  const [step, ...rest] = steps;
  if (step === undefined) return ownershipHere(fields);
  // A value without members in the set is owned as a whole.
  if (isWhole(fields)) return 'owned';
  const inner = innerOf(fields, value, step);
  return inner === undefined ? 'none' : ownershipOf(inner, { value: valueAt(value, step), steps: rest });
}

const isWhole = (fields: JsonObject): boolean => Object.keys(fields).every((key) => key === '.');

const ownershipHere = (fields: JsonObject): Ownership =>
  isWhole(fields) || Object.hasOwn(fields, '.') ? 'owned' : 'parts';

/** The part of a field set below a step; undefined when it has none. */
function innerOf(fields: JsonObject, value: unknown, step: FieldStep): unknown {
  if (step.kind === 'member') return own(fields, `f:${step.name}`);
  const element = valueAt(value, step);
  for (const [key, inner] of Object.entries(fields)) {
    if (step.kind === 'position' && key === `i:${step.index}`) return inner;
    if (key.startsWith('k:') && hasKeys(element, parsed(key.slice(2)))) return inner;
    if (key.startsWith('v:') && jsonEquals(element, parsed(key.slice(2)))) return inner;
  }
  return undefined;
}

const own = (fields: JsonObject, key: string): unknown =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

const hasKeys = (element: unknown, keys: unknown): boolean =>
  isJsonObject(element) &&
  isJsonObject(keys) &&
  Object.entries(keys).every(([key, value]) => jsonEquals(element[key], value));

/** Undefined for a key that is not JSON: managed fields may come from clients. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
