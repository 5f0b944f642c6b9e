import { EvaluationError } from './evaluation-error.ts';
import { formatSeconds, formatTimestamp } from './time.ts';
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from './value.ts';

/**
 * Maximum number of values, and of characters of strings, in a result: an expression can contain the same value many
 * times.
 */
const MAX_VALUES = 500_000;
const MAX_CHARACTERS = 3 * 1024 * 1024;

const MAX_DEPTH = 500;

/** The JSON of a value. Throws an `EvaluationError` for values that have none, and for results that are too large. */
export function toJson(value: Value): unknown {
  return new JsonWriter().json(value, 0);
}

class JsonWriter {
  #values = 0;
  #characters = 0;

  json(value: Value, depth: number): unknown {
    this.#values += 1;
    if (this.#values > MAX_VALUES || depth > MAX_DEPTH) throw new EvaluationError('the result is too large');
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'boolean':
      case 'number':
        return value;
      case 'bigint':
        return integerJson(value);
    }
    if (value === null) return null;
    if (value instanceof ListValue) return this.#list(value, depth);
    if (value instanceof MapValue) return this.#map(value, depth);
    return this.#scalar(value, depth);
  }

  #scalar(value: Exclude<Value, ListValue | MapValue>, depth: number): unknown {
    if (value instanceof Double) return doubleJson(value.value);
    if (value instanceof Uint) return integerJson(value.value);
    if (value instanceof Timestamp) return formatTimestamp(value);
    if (value instanceof Duration) return formatSeconds(value);
    if (value instanceof Uint8Array) return this.#text(Buffer.from(value).toString('base64'));
    if (value instanceof OptionalValue)
      return value.value === undefined ? null : this.json(value.value, depth + 1);
    throw new EvaluationError('the result contains a value that is not JSON');
  }

  #list(list: ListValue, depth: number): unknown {
    if (list.length > MAX_VALUES) throw new EvaluationError('the result is too large');
    return Array.from({ length: list.length }, (_, i) => this.json(list.at(i), depth + 1));
  }

  #map(map: MapValue, depth: number): unknown {
    const entries = map.keys().map((key): [string, unknown] => {
      if (typeof key !== 'string') throw new EvaluationError('keys of objects must be strings');
      return [this.#text(key), this.json(map.get(key) ?? null, depth + 1)];
    });
    return Object.fromEntries(entries);
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) throw new EvaluationError('the result is too large');
    return text;
  }
}

function integerJson(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new EvaluationError('the result contains an integer that is too large');
}

function doubleJson(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new EvaluationError('the result contains a number that is not JSON');
}
