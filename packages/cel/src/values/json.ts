import { exactInteger, exactNumberText, isExactNumber, isJsonObject } from '@orch/machinery/json';
import { dynDecl } from '../decl/build.ts';
import type { DeclType, ListDecl, MapDecl, ObjectDecl } from '../decl/decl-type.ts';
import { ArrayList } from './collections.ts';
import type { WorkMeter } from './equality.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { FromJson } from './from-json.ts';
import { JsonList } from './json-list.ts';
import { JsonMap, JsonObject } from './json-map.ts';
import { MapList, SetList } from './keyed-list.ts';
import { readNamedDuration, readTimestamp } from './time.ts';
import { Double, intOf, MAX_INT64, MAX_UINT64, MIN_INT64, OptionalValue, Uint, type Value } from './value.ts';

const anyJson = dynDecl();

/** Work of reading what takes longer than to look at it, in units of about 10 ns. */
const work = { container: 8, number: 10, time: 100 } as const;

/**
 * Reads JSON data of declared shapes. Lists, maps and objects are views on the data, which must not change as long as they are
 * in use; `null` is null for all declarations. Throws an EvaluationError when the data does not fit.
 */
export class JsonReader implements FromJson {
  readonly meter: WorkMeter;
  constructor(meter: WorkMeter) {
    this.meter = meter;
  }

  value(decl: DeclType, raw: unknown): Value {
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
      case 'list':
      case 'map':
        return this.#container(decl, raw);
      case 'dyn':
        return this.#any(raw);
      case 'optional':
        return new OptionalValue(this.value(decl.of, raw));
      case 'value':
        return raw as Value;
      default:
        return this.#lessUsual(decl.kind, raw);
    }
  }

  #container(decl: ObjectDecl | ListDecl | MapDecl, raw: unknown): Value {
    this.meter.work(work.container);
    if (decl.kind === 'list') return this.#list(decl, raw);
    if (!isJsonObject(raw)) throw mismatch('object', raw);
    return decl.kind === 'map' ? new JsonMap(decl.value, raw, this) : new JsonObject(decl, raw, this);
  }

  #list(decl: ListDecl, raw: unknown): Value {
    if (!Array.isArray(raw)) throw mismatch('array', raw);
    const items = new JsonList(decl.element, raw, this);
    switch (decl.list.type) {
      case 'atomic':
        return items;
      case 'set':
        return new SetList(items);
      case 'map':
        return new MapList(items, decl.list.keys);
    }
  }

  /** Without a declaration, whole numbers within 64 bits are ints, others doubles. */
  #any(raw: unknown): Value {
    switch (typeof raw) {
      case 'string':
      case 'boolean':
        return raw;
      case 'number':
        return Number.isSafeInteger(raw) ? raw : this.#number(raw);
      default:
        if (raw === null || raw === undefined) return null;
        if (isExactNumber(raw)) return this.#number(raw);
        this.meter.work(work.container);
        if (!Array.isArray(raw)) return new JsonMap(anyJson, raw as Record<string, unknown>, this);
        return raw.length === 0 ? new ArrayList([]) : new JsonList(anyJson, raw, this);
    }
  }

  #number(raw: unknown): Value {
    this.meter.work(work.number);
    return numberOf(raw);
  }

  #lessUsual(
    kind: 'uint' | 'double' | 'bytes' | 'timestamp' | 'date' | 'duration' | 'null',
    raw: unknown,
  ): Value {
    switch (kind) {
      case 'double': {
        this.meter.work(work.number);
        const text = exactNumberText(raw);
        if (text === undefined) throw mismatch('float', raw);
        return new Double(Number(text));
      }
      case 'uint': {
        this.meter.work(work.number);
        const value = exactInteger(raw);
        if (value === undefined || value < 0n || value > MAX_UINT64) throw mismatch('uint', raw);
        return new Uint(value);
      }
      case 'null':
        throw mismatch('null', raw);
      default:
        if (typeof raw !== 'string') throw mismatch('string', raw);
        this.meter.work(work.time + (kind === 'bytes' ? raw.length >> 2 : 0));
        return fromText(kind, raw);
    }
  }
}

const mismatch = (expected: string, raw: unknown): EvaluationError =>
  new EvaluationError(`invalid data, expected ${expected}, got ${raw === null ? 'null' : typeof raw}`);

function fromText(kind: 'bytes' | 'timestamp' | 'date' | 'duration', text: string): Value {
  switch (kind) {
    case 'bytes':
      return new Uint8Array(Buffer.from(text, 'base64'));
    case 'duration':
      return readNamedDuration(text) ?? invalid('duration', text);
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

function numberOf(raw: unknown): Value {
  const value = exactInteger(raw);
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64)
    return new Double(Number(exactNumberText(raw)));
  return intOf(value);
}
