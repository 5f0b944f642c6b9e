import { widthOf } from '@orch/machinery/json';
import { dynDecl } from '../decl/build.ts';
import type { DeclType, ObjectDecl } from '../decl/decl-type.ts';
import { type EqualsOther, equalValues, sameEntries, type WorkMeter } from './equality.ts';
import type { FromJson } from './from-json.ts';
import { countLookup } from './long-key.ts';
import { MapValue, type Value } from './value.ts';

type Json = Readonly<Record<string, unknown>>;

/** Work of listing a key of an object. */
const KEY_WORK = 25;

/**
 * The names of the fields of an object. The runtime lists them all at once: where many are known to follow, they count before
 * that, so that the limit comes first.
 */
function namesOf(json: Json, meter: WorkMeter): readonly string[] {
  const width = widthOf(json);
  if (width !== undefined) meter.work(width * KEY_WORK);
  const names = Object.keys(json);
  if (width === undefined) meter.work(names.length * KEY_WORK);
  return names;
}

const anyJson = dynDecl();

/**
 * The fields of a JSON object as they are converted, each when it is first read: an expression that reads one in a loop
 * does not convert it again.
 */
class ConvertedFields {
  readonly #json: Json;
  #converted: Map<string, Value> | undefined;
  readonly #fromJson: FromJson;
  constructor(json: Json, fromJson: FromJson) {
    this.#json = json;
    this.#fromJson = fromJson;
  }
  get(name: string, type: DeclType): Value | undefined {
    const raw = this.#json[name];
    if (raw === undefined || !Object.hasOwn(this.#json, name)) return undefined;
    if (typeof raw !== 'object' && (type.kind === 'string' || type.kind === 'int' || type.kind === 'bool'))
      return this.#fromJson.value(type, raw);
    this.#converted ??= new Map();
    const known = this.#converted.get(name);
    if (known !== undefined) return known;
    const value = this.#fromJson.value(type, raw);
    this.#converted.set(name, value);
    return value;
  }
}

/** A JSON object with names that a schema leaves open. */
export class JsonMap extends MapValue {
  readonly #value: DeclType;
  readonly #json: Json;
  readonly #fields: ConvertedFields;
  readonly #meter: WorkMeter;
  #keys: readonly string[] | undefined;
  constructor(value: DeclType, json: Json, fromJson: FromJson) {
    super();
    this.#value = value;
    this.#json = json;
    this.#meter = fromJson.meter;
    this.#fields = new ConvertedFields(json, fromJson);
  }
  get size(): number {
    return this.keys().length;
  }
  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    countLookup(key, this.#meter);
    return this.#fields.get(key, this.#value);
  }
  has(key: Value): boolean {
    if (typeof key !== 'string') return false;
    countLookup(key, this.#meter);
    return Object.hasOwn(this.#json, key);
  }
  keys(): readonly string[] {
    if (this.#keys !== undefined) return this.#keys;
    this.#keys = namesOf(this.#json, this.#meter);
    return this.#keys;
  }
}

/**
 * A JSON object with declared fields; expressions cannot read fields that are not declared, but comparisons include
 * them. A field that is null counts as absent.
 */
export class JsonObject extends MapValue implements EqualsOther {
  readonly decl: ObjectDecl;
  readonly #json: Json;
  readonly #fields: ConvertedFields;
  readonly #fromJson: FromJson;
  #size: number | undefined;
  constructor(decl: ObjectDecl, json: Json, fromJson: FromJson) {
    super();
    this.decl = decl;
    this.#json = json;
    this.#fromJson = fromJson;
    this.#fields = new ConvertedFields(json, fromJson);
  }
  get size(): number {
    this.#size ??= this.#names().length;
    return this.#size;
  }
  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.field(key) : undefined;
  }
  /** The field of that name in expressions; undefined when it is absent. */
  field(name: string): Value | undefined {
    const field = this.decl.fields.get(name);
    if (field === undefined || this.#json[field.jsonName] === null) return undefined;
    return this.#fields.get(field.jsonName, field.type);
  }
  has(key: Value): boolean {
    if (typeof key !== 'string') return false;
    const field = this.decl.fields.get(key);
    if (field === undefined || !Object.hasOwn(this.#json, field.jsonName)) return false;
    return this.#json[field.jsonName] !== null;
  }
  keys(): readonly string[] {
    return [...this.decl.fields.keys()].filter((name) => this.has(name));
  }
  equalsValue(other: Value, meter?: WorkMeter): boolean {
    if (!(other instanceof JsonObject)) return sameEntries(this, other as MapValue, meter);
    if (!sameEntries(this, other, meter)) return false;
    const [own, others] = [this.#undeclared(), other.#undeclared()];
    return own === others || equalValues(this.#view(own), this.#view(others), meter);
  }
  #undeclared(): Json {
    const declared = jsonNamesOf(this.decl);
    return this.#names().every((name) => declared.has(name))
      ? nothing
      : Object.fromEntries(Object.entries(this.#json).filter(([name]) => !declared.has(name)));
  }
  #names(): readonly string[] {
    return namesOf(this.#json, this.#fromJson.meter);
  }
  #view(json: Json): JsonMap {
    return new JsonMap(anyJson, json, this.#fromJson);
  }
}

const nothing: Json = {};
const jsonNames = new WeakMap<ObjectDecl, ReadonlySet<string>>();

/** Names that the declared fields have in JSON, collected once for each declaration. */
function jsonNamesOf(decl: ObjectDecl): ReadonlySet<string> {
  let names = jsonNames.get(decl);
  if (names === undefined) {
    names = new Set(Array.from(decl.fields.values(), ({ jsonName }) => jsonName));
    jsonNames.set(decl, names);
  }
  return names;
}
