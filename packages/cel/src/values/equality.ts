import { compareNumbers, numericValue } from './compare.ts';
import {
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  type Value,
} from './value.ts';

/** Lists and maps with a special equality, such as lists that represent sets. */
export interface EqualsOther {
  equalsValue(other: Value, meter?: WorkMeter): boolean;
}

const hasOwnEquality = (value: object): value is EqualsOther => 'equalsValue' in value;

/** Counts the work of a comparison. */
export interface WorkMeter {
  work(units: number): void;
}

/** Equality of the language: numbers of all types compare by value, values of different types are unequal. */
export function equalValues(a: Value, b: Value, meter?: WorkMeter): boolean {
  if (typeof a === 'string') {
    if (a.length > 64) meter?.work(a.length >> 6);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a === 'boolean' || a === null || b === null) return false;
  if (numericValue(a) !== undefined) return compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof ListValue) return b instanceof ListValue && equalLists(a, b, meter);
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b, meter);
  return equalScalars(a, b, meter);
}

function equalScalars(a: Value, b: Value, meter?: WorkMeter): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b, meter);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b, meter);
  return a instanceof OpaqueValue && b instanceof OpaqueValue && a.typeName === b.typeName && a.equals(b);
}

function equalBytes(a: Uint8Array, b: Uint8Array, meter?: WorkMeter): boolean {
  if (a.length !== b.length) return false;
  meter?.work(a.length >> 6);
  return Buffer.compare(a, b) === 0;
}

function equalOptionals(a: OptionalValue, b: OptionalValue, meter?: WorkMeter): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value, meter);
}

function equalLists(a: ListValue, b: ListValue, meter?: WorkMeter): boolean {
  if (a.length !== b.length) return false;
  meter?.work(5 + a.length * 3);
  if (hasOwnEquality(a)) return a.equalsValue(b, meter);
  for (let i = 0; i < a.length; i++) if (!equalValues(a.at(i), b.at(i), meter)) return false;
  return true;
}

function equalMaps(a: MapValue, b: MapValue, meter?: WorkMeter): boolean {
  if (a.size !== b.size) return false;
  meter?.work(10 + a.size * 20);
  if (hasOwnEquality(a)) return a.equalsValue(b, meter);
  return sameEntries(a, b, meter);
}

export const sameEntries = (a: MapValue, b: MapValue, meter?: WorkMeter): boolean =>
  a.keys().every((key) => {
    const [x, y] = [a.get(key), b.get(key)];
    return x !== undefined && y !== undefined && equalValues(x, y, meter);
  });
