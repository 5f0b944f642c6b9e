import { exactInteger, exactNumberText, isExactNumber, isJsonObject } from '@orch/machinery';
import { dynDecl } from '../decl/build.ts';
import type { DeclType, ListDecl, MapDecl, ObjectDecl } from '../decl/decl-type.ts';
import { ArrayList } from './collections.ts';
import { EvaluationError } from './evaluation-error.ts';
import { JsonList } from './json-list.ts';
import { JsonMap, JsonObject } from './json-map.ts';
import { MapList, SetList } from './keyed-list.ts';
import { readDuration, readTimestamp } from './time.ts';
import { Double, intOf, MAX_INT64, MAX_UINT64, MIN_INT64, OptionalValue, Uint, type Value } from './value.ts';

const anyJson = dynDecl();

const mismatch = (expected: string, raw: unknown): EvaluationError =>
  new EvaluationError(`invalid data, expected ${expected}, got ${raw === null ? 'null' : typeof raw}`);

/**
 * The value of JSON data of the declared shape. Lists, maps and objects are views on the data, which must not change as
 * long as they are in use; `null` is null for all declarations. Throws an EvaluationError when the data does not fit.
 */
export function fromJson(decl: DeclType, raw: unknown): Value {
  if (raw === null || raw === undefined) return null;
  switch (decl.kind) {
    case 'string':
      if (typeof raw === 'string') return raw;
      throw mismatch('string', raw);
    case 'int':
      return Number.isSafeInteger(raw) ? (raw as number) : integerOf(raw);
    case 'bool':
      if (typeof raw === 'boolean') return raw;
      throw mismatch('bool', raw);
    case 'object':
      return objectOf(decl, raw);
    case 'list':
      return listOf(decl, raw);
    case 'map':
      return mapOf(decl, raw);
    case 'dyn':
      return fromAnyJson(raw);
    case 'optional':
      return new OptionalValue(fromJson(decl.of, raw));
    case 'value':
      return raw as Value;
    default:
      return lessUsual(decl.kind, raw);
  }
}

function lessUsual(
  kind: 'uint' | 'double' | 'bytes' | 'timestamp' | 'date' | 'duration' | 'null',
  raw: unknown,
): Value {
  switch (kind) {
    case 'double': {
      const text = exactNumberText(raw);
      if (text === undefined) throw mismatch('float', raw);
      return new Double(Number(text));
    }
    case 'uint': {
      const value = exactInteger(raw);
      if (value === undefined || value < 0n || value > MAX_UINT64) throw mismatch('uint', raw);
      return new Uint(value);
    }
    case 'null':
      throw mismatch('null', raw);
    default:
      if (typeof raw !== 'string') throw mismatch('string', raw);
      return fromText(kind, raw);
  }
}

function fromText(kind: 'bytes' | 'timestamp' | 'date' | 'duration', text: string): Value {
  switch (kind) {
    case 'bytes':
      return new Uint8Array(Buffer.from(text, 'base64'));
    case 'duration':
      return readDuration(text) ?? invalid('duration', text);
    case 'date':
      return readTimestamp(`${text}T00:00:00Z`) ?? invalid('date', text);
    case 'timestamp':
      return readTimestamp(text) ?? invalid('date-time', text);
  }
}

function invalid(format: string, text: string): never {
  throw new EvaluationError(`invalid ${format} formatted string ${text.slice(0, 64)}`);
}

function integerOf(raw: unknown): number | bigint {
  const value = exactInteger(raw);
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64) throw mismatch('int', raw);
  return intOf(value);
}

function objectOf(decl: ObjectDecl, raw: unknown): Value {
  if (isJsonObject(raw)) return new JsonObject(decl, raw, fromJson);
  throw mismatch('object', raw);
}

function mapOf(decl: MapDecl, raw: unknown): Value {
  if (isJsonObject(raw)) return new JsonMap(decl.value, raw, fromJson);
  throw mismatch('object', raw);
}

function listOf(decl: ListDecl, raw: unknown): Value {
  if (!Array.isArray(raw)) throw mismatch('array', raw);
  const items = new JsonList(decl.element, raw, fromJson);
  switch (decl.list.type) {
    case 'atomic':
      return items;
    case 'set':
      return new SetList(items);
    case 'map':
      return new MapList(items, decl.list.keys);
  }
}

/** The value of JSON data without a declaration: whole numbers within 64 bits are ints, others doubles. */
export function fromAnyJson(raw: unknown): Value {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return Number.isSafeInteger(raw) ? raw : numberOf(raw);
    default:
      if (raw === null || raw === undefined) return null;
      if (isExactNumber(raw)) return numberOf(raw);
      if (Array.isArray(raw))
        return raw.length === 0 ? new ArrayList([]) : new JsonList(anyJson, raw, fromJson);
      return new JsonMap(anyJson, raw as Record<string, unknown>, fromJson);
  }
}

function numberOf(raw: unknown): Value {
  const value = exactInteger(raw);
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64)
    return new Double(Number(exactNumberText(raw)));
  return intOf(value);
}
